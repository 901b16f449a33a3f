/// What a vault is surrounded by, where tests put their own in. No program can set it.
package struct VaultSurroundings: Sendable {
  /// The machine's running time.
  package var moment: @Sendable () -> BootMoment = { .now() }
  /// What a new passcode's derivation is to cost.
  package var cost = PasscodeCost.calibrated

  package init() {}
}

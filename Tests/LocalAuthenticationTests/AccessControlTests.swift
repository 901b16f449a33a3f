internal import Foundation
internal import LocalAuthentication
internal import Testing
internal import ThumbturnAuthentication
internal import ThumbturnSecurity

/// SECACCESS.md §1: what an operation needs under an access control.
@Suite("Evaluations of an access control")
struct AccessControlTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let flags: SecAccessControlCreateFlags
    /// For createItem, useItem, createKey, useKeySign, useKeyDecrypt, useKeyKeyExchange.
    let needs: [Need]
    var testDescription: String { "\(flags.rawValue)" }
  }
  enum Need: Hashable, Sendable {
    case free, forbidden
    case shown(Requirement)
  }
  static let both = Requirement([.finger, .passcode], needsAll: true)
  static let keys: [Need] = [.forbidden, .forbidden, .forbidden]
  static func guarded(_ need: Need) -> [Need] { [.free, need, .free] + keys }
  static func ofKeys(_ need: Need) -> [Need] { [.forbidden, .forbidden, .free, need, need, need] }
  static let rows: [Row] = [
    Row(flags: [], needs: [Need](repeating: .free, count: 6)),
    Row(flags: .userPresence, needs: guarded(.shown(.owner))),
    Row(flags: .biometryAny, needs: guarded(.shown(.finger))),
    Row(flags: .biometryCurrentSet, needs: guarded(.shown(.finger))),
    Row(flags: .devicePasscode, needs: guarded(.shown(.passcode))),
    Row(flags: .companion, needs: guarded(.shown(Requirement([])))),
    Row(flags: [.biometryAny, .or, .devicePasscode], needs: guarded(.shown(.owner))),
    Row(flags: [.biometryAny, .or, .companion], needs: guarded(.shown(.finger))),
    Row(flags: [.biometryAny, .and, .devicePasscode], needs: guarded(.shown(both))),
    Row(flags: [.biometryAny, .devicePasscode], needs: guarded(.shown(both))),
    Row(flags: [.biometryAny, .companion], needs: guarded(.shown(Requirement([])))),
    Row(
      flags: [.companion, .applicationPassword],
      needs: [
        .shown(Requirement([], needsApplicationPassword: true)), .shown(Requirement([])), .free,
      ] + keys),
    Row(
      flags: .applicationPassword,
      needs: [
        .shown(Requirement([], needsApplicationPassword: true)),
        .shown(Requirement([], needsApplicationPassword: true)), .free,
        .shown(Requirement([], needsApplicationPassword: true)),
        .shown(Requirement([], needsApplicationPassword: true)),
        .shown(Requirement([], needsApplicationPassword: true)),
      ]),
    Row(
      flags: [.userPresence, .applicationPassword],
      needs: [
        .shown(Requirement([], needsApplicationPassword: true)),
        .shown(Requirement([.finger, .passcode], needsApplicationPassword: true)), .free,
      ] + keys),
    Row(flags: .privateKeyUsage, needs: ofKeys(.free)),
    Row(flags: [.privateKeyUsage, .biometryCurrentSet], needs: ofKeys(.shown(.finger))),
    Row(flags: [.privateKeyUsage, .userPresence], needs: ofKeys(.shown(.owner))),
  ]

  @Test("ask for what it needs, succeed at once where it needs nobody, and refuse what it forbids", arguments: rows)
  func table(row: Row) async throws {
    let control = try accessControl(row.flags)
    for (raw, need) in row.needs.enumerated() {
      let person = Person(.success([.finger, .passcode]))
      let operation = try #require(LAAccessControlOperation(rawValue: raw))
      let code = await code(LAContext(over: person), control, operation)
      switch need {
      case .free:
        #expect(code == nil, "\(raw)")
        #expect(person.requests.isEmpty, "\(raw)")
      case .forbidden:
        #expect(code == .authenticationFailed, "\(raw)")
        #expect(person.requests.isEmpty, "\(raw)")
      case .shown(let requirement):
        #expect(code == nil, "\(raw)")
        #expect(person.requests.map(\.requirement) == [requirement], "\(raw)")
      }
    }
  }

  @Test("an operation that no system has is refused")
  func unknown() async throws {
    let control = try accessControl([])
    let operation = try #require(LAAccessControlOperation(rawValue: 6))
    #expect(await code(LAContext(over: Person()), control, operation) == .authenticationFailed)
  }

  @Test("ask nobody when the context has it already, by a policy or by another access control")
  func shown() async throws {
    let control = try accessControl(.userPresence)
    let person = Person()
    let context = LAContext(over: person)
    #expect(await context.code() == nil)
    #expect(await code(context, control, .useItem) == nil)
    #expect(person.promptCount == 1)
    let other = LAContext(over: person)
    #expect(await code(other, control, .useItem) == nil)
    #expect(await code(other, control, .useItem) == nil)
    #expect(person.promptCount == 2)
    // A policy is asked for all the same: it has not succeeded in this context.
    #expect(await other.code(of: .deviceOwnerAuthentication) == nil)
    #expect(person.promptCount == 3)
  }

  @Test("of an invalidated context fail, also where nobody is needed")
  func invalidated() async throws {
    let control = try accessControl([])
    let context = LAContext(over: Person())
    context.invalidate()
    #expect(await code(context, control, .useItem) == .invalidContext)
  }

  @Test("of an empty reason end the program")
  func emptyReason() async {
    await #expect(processExitsWith: .failure) {
      let control = try accessControl([])
      LAContext(over: Person()).evaluateAccessControl(control, operation: .useItem, localizedReason: "") { _, _ in }
    }
  }

  private func code(
    _ context: LAContext, _ control: SecAccessControl, _ operation: LAAccessControlOperation
  ) async -> LAError.Code? {
    do {
      return try await context.evaluateAccessControl(control, operation: operation, localizedReason: "r")
        ? nil : .authenticationFailed
    } catch {
      return (error as? LAError)?.code
    }
  }
}

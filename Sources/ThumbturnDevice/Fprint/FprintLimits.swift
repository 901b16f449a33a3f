/// The limits of what is asked of fprintd.
public enum FprintLimits {
  /// Each call. fprintd answers within 10 ms, and takes up to a second to end a verification.
  public static let call = Duration.seconds(2)
  /// ``FprintSensor/state()`` in all, with the start of fprintd: that alone took 50 to 250 ms.
  public static let state = Duration.seconds(3)
  /// What has to be said at the end, in all: that the reader is free again, and whether it is still there.
  public static let ending = Duration.seconds(2)
  /// Each call before which polkit may ask the person for a password.
  public static let authorisation = Duration.seconds(60)
  /// The most readers that are listed.
  public static let readerCountMax = 16
  /// The most files of prints whose times are looked at: ten fingers on six readers.
  public static let printFileCountMax = 64
}

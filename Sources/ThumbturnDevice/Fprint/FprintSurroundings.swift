/// What tests set, and nothing else.
struct FprintSurroundings: Sendable {
  var place = BusConnection.Place.system
  /// fprintd is a service of the system.
  var serviceUserID: UInt32? = 0
  var checksSenders = true
  /// Where fprintd keeps prints, a folder for each user.
  var printsFolder = "/var/lib/fprint"

  var service: BusService { BusService(name: "net.reactivated.Fprint", userID: serviceUserID) }
}

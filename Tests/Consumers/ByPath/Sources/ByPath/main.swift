import Foundation
import ThirdParty

/// Ends the program with a reason when something is not as it must be.
func require(_ condition: Bool, _ reason: String) {
  guard !condition else { return }
  FileHandle.standardError.write(Data("\(reason)\n".utf8))
  exit(1)
}

let keychain = KeychainManager.shared
let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case nil:
  let token = Data("token of ByPath".utf8)
  require(keychain.save(token, service: "consumer", account: "by path"), "not saved")
  require(keychain.load(service: "consumer", account: "by path") == token, "another token came back")
  require(keychain.delete(service: "consumer", account: "by path"), "not deleted")
  require(keychain.load(service: "consumer", account: "by path") == nil, "still there after the deletion")
  require(keychain.delete(service: "consumer", account: "by path"), "the second deletion is an error")
  runReadmeLines()
  require(checkAuthenticator(), "the authenticator does not fall back")
  print("ok")
  let seen = "Security: \(thirdPartySeesSecurity), LocalAuthentication: \(thirdPartySeesLocalAuthentication)"
  print("third party sees \(seen)")
case "save" where arguments.count == 3:
  let secret = FileHandle.standardInput.readDataToEndOfFile()
  require(keychain.save(secret, service: arguments[1], account: arguments[2]), "not saved")
case "load" where arguments.count == 3:
  let secret = keychain.load(service: arguments[1], account: arguments[2])
  require(secret != nil, "not found")
  FileHandle.standardOutput.write(secret!)
default:
  require(false, "usage: ByPath [save SERVICE ACCOUNT | load SERVICE ACCOUNT]")
}

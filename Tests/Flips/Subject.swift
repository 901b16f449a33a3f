import Foundation
import Glibc
import ThumbturnCrypto
import ThumbturnKeychain
import ThumbturnVault

/// What must never be: the run ends with it.
struct Flaw: Error, CustomStringConvertible {
  let description: String
}

/// A vault on a scratch disk in memory, and what is in it.
struct Subject {
  let home: String
  let location: VaultLocation
  /// The secret of each account.
  var secrets: [String: [UInt8]]

  private static let caller = Caller()

  /// Makes a vault with `count` items, one of which has boxes of its own table.
  init(home: String, count: Int) throws {
    self.home = home
    location = VaultLocation(home: home)
    var secrets: [String: [UInt8]] = [:]
    let backend = LocalBackend(location: location)
    for number in 0..<count {
      let account = "account \(number)"
      let secret = Array("secret \(number) ".utf8) + [UInt8](repeating: 0x2e, count: number == 1 ? 6_000 : number % 50)
      secrets[account] = secret
      _ = try backend.add(
        NewItem(
          .genericPassword,
          [.service: .text("service \(number % 7)"), .account: .text(account), .label: .text("label")],
          secret: SharedSecret(try SecretBytes(copying: secret.span))), for: Self.caller)
    }
    backend.close()
    self.secrets = secrets
  }

  /// The same vault in another folder.
  init(copying other: Subject, to home: String) throws {
    try FileManager.default.copyItem(atPath: other.home, toPath: home)
    self.home = home
    location = VaultLocation(home: home)
    secrets = other.secrets
  }

  /// The files that damage can come to.
  func files() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: location.vaultFolder)
    let database = names.filter { $0.hasSuffix(".db") }
    let key = try FileManager.default.contentsOfDirectory(atPath: location.deviceFolder).filter { $0.hasPrefix("d0-") }
    return (["keybag"] + database).map { location.vaultFolder + "/" + $0 }
      + key.map { location.deviceFolder + "/" + $0 }
  }

  /// What a fresh process sees of the damaged vault.
  func judge(_ place: String, pointCount: Int, salvages: Bool) throws -> Verdict {
    var verdict = Verdict()
    let backend = LocalBackend(location: location)
    defer { backend.close() }
    var found: Set<String> = []
    do {
      found = try names(try backend.find(query(nil), for: Self.caller), place)
    } catch let error as KeychainError {
      verdict.isRefused = error.code != .itemNotFound
    }
    var missing = Set(secrets.keys).subtracting(found)
    verdict.listedCount = found.count
    if !verdict.isRefused {
      let points = pointCount < secrets.count ? Array(secrets.keys.shuffled().prefix(pointCount)) : Array(secrets.keys)
      for account in points {
        do {
          let items = try backend.find(query(account), for: Self.caller)
          guard try names(items, place) == [account] else { throw Flaw(description: "\(place): another item") }
        } catch let error as KeychainError {
          if error.code == .itemNotFound { missing.insert(account) } else { verdict.isRefused = true }
        }
      }
    }
    var isTold = false
    do {
      let report = try backend.check(CheckRequest(moves: false))
      let isChanged = report.findings.contains {
        switch $0 {
        case .recordsChanged, .lockedRecords: true
        default: false
        }
      }
      isTold = !report.isClean && (report.needsSalvage || isChanged || report.damagedCount >= missing.count)
      verdict.isClean = report.isClean
    } catch { isTold = error.code != .itemNotFound }
    if !missing.isEmpty, !verdict.isRefused, !isTold {
      throw Flaw(description: "\(place): \(missing.count) items are not found, and check does not tell")
    }
    verdict.isMissing = !missing.isEmpty
    if salvages { verdict.salvagedCount = try salvage(backend, place, atLeast: found) }
    return verdict
  }

  /// Every item that a find still gives must be back.
  private func salvage(_ backend: LocalBackend, _ place: String, atLeast found: Set<String>) throws -> Int? {
    do {
      let report = try backend.salvage()
      _ = try backend.salvage(replacing: report)
    } catch {
      guard found.isEmpty else { throw Flaw(description: "\(place): salvage failed with \(error)") }
      return nil
    }
    let back: Set<String>
    do { back = try names(try backend.find(query(nil), for: Self.caller), place) } catch  where error is KeychainError {
      back = []
    }
    let lost = found.subtracting(back)
    guard lost.isEmpty else {
      throw Flaw(description: "\(place): salvage lost what find still gave: \(lost.sorted().prefix(10))")
    }
    return back.count
  }

  /// The accounts of items, each of which must be as it was stored.
  private func names(_ items: [FoundItem], _ place: String) throws -> Set<String> {
    var names: Set<String> = []
    for item in items {
      guard case .text(let account) = item.attributes[.account], let expected = secrets[account],
        item.secret?.withBytes({ $0.equals(expected.span) }) == true, item.attributes[.label] == .text("label")
      else { throw Flaw(description: "\(place): a wrong plaintext") }
      names.insert(account)
    }
    return names
  }

  private func query(_ account: String?) -> ItemQuery {
    guard let account, let number = Int(account.dropFirst(8)) else {
      return ItemQuery(.genericPassword, limit: .all, wantsSecret: true)
    }
    return ItemQuery(
      .genericPassword, [.service: .text("service \(number % 7)"), .account: .text(account)], limit: .all,
      wantsSecret: true)
  }
}

struct Verdict {
  var isRefused = false
  var isMissing = false
  var isClean = false
  var listedCount = 0
  var salvagedCount: Int?
}

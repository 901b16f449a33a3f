import Foundation
import ThumbturnKeychain
@_spi(Testing) import ThumbturnSecurity

/// Makes the calls that an oracle has answered, over one backend, and holds the answers against each other.
struct Driver {
  let name: String
  private let backend: any KeychainBackend
  private var groups = ["G1", "G2"]
  /// The persistent references that were given out, by row.
  private var references: [Int: Data] = [:]

  init(_ name: String, _ backend: any KeychainBackend) {
    self.name = name
    self.backend = backend
  }

  /// Nil, or in what the answer differs.
  mutating func difference(_ step: Step, _ answer: Oracle.Answer) -> String? {
    if case .groups(let groups) = step { self.groups = groups }
    useKeychainBackend(backend, for: Caller(accessGroups: groups))
    var result: CFTypeRef?
    let status: OSStatus =
      switch step {
      case .groups: errSecSuccess
      case .add(let item): SecItemAdd(dictionary(item), &result)
      case .find(let query): SecItemCopyMatching(dictionary(query), &result)
      case .update(let query, let change): SecItemUpdate(dictionary(query), dictionary(change))
      case .delete(let query): SecItemDelete(dictionary(query))
      }
    guard status == answer.status else { return "status \(status), the model says \(answer.status)" }
    return difference(result, answer.result)
  }

  /// Takes every row away, so that the store can serve another sequence; nil when that worked.
  mutating func empty() -> String? {
    useKeychainBackend(backend, for: Caller(accessGroups: ["G1", "G2"]))
    for itemClass in Generator.classes {
      let status = SecItemDelete(["class": itemClass, "sync": "syna"] as NSDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { return "status \(status) while emptying" }
    }
    groups = ["G1", "G2"]
    references = [:]
    return nil
  }

  private func dictionary(_ query: Query) -> CFDictionary { query.mapValues { $0.object(references) } as CFDictionary }

  private mutating func difference(_ result: Any?, _ wanted: Oracle.Result) -> String? {
    switch (wanted, result) {
    case (.untouched, nil), (.untouchedOrEmpty, nil), (.null, nil): return nil
    case (.untouchedOrEmpty, let list as NSArray) where list.count == 0: return nil
    case (.data(let bytes), let data as Data): return data == Data(bytes) ? nil : "data \([UInt8](data)), not \(bytes)"
    case (.reference(let row), let data as Data): return difference(reference: data, row)
    case (
      .dictionary(let row, let hasData, let hasReference, let hasClass, let hasControl), let dictionary as [String: Any]
    ):
      return difference(dictionary, row, hasData, hasReference, hasClass, hasControl)
    case (.array(let wanted), let list as NSArray):
      guard list.count == wanted.count else { return "\(list.count) results, the model says \(wanted.count)" }
      for (index, one) in wanted.enumerated() {
        if let difference = difference(list.object(at: index), one) { return "result \(index): \(difference)" }
      }
      return nil
    default: return "\(result.map { "\($0)" } ?? "nil"), the model says \(wanted)"
    }
  }

  private mutating func difference(reference: Data, _ row: Int) -> String? {
    if let known = references[row] { return known == reference ? nil : "another reference than before" }
    guard reference.count == 20 else { return "a reference of \(reference.count) bytes" }
    guard !references.values.contains(reference) else { return "the reference of another row" }
    references[row] = reference
    return nil
  }

  private mutating func difference(
    _ dictionary: [String: Any], _ row: Oracle.Row, _ hasData: Bool, _ hasReference: Bool, _ hasClass: Bool,
    _ hasControl: Bool
  ) -> String? {
    var rest = dictionary
    guard let creation = rest.removeValue(forKey: "cdat") as? Date,
      let modification = rest.removeValue(forKey: "mdat") as? Date
    else { return "a date is missing" }
    if let seconds = row.creation, creation.timeIntervalSinceReferenceDate != seconds { return "another creation date" }
    if row.creation == nil, modification < creation { return "modified before it was created" }
    if let control = rest.removeValue(forKey: "accc") {
      guard hasControl else { return "an access control" }
      let wanted = SecAccessControlCreateWithFlags(nil, row.protection as NSString, [], nil)
      guard (control as? NSObject)?.isEqual(wanted) == true else { return "another access control" }
    } else if hasControl {
      return "no access control"
    }
    if let reference = rest.removeValue(forKey: "v_PersistentRef") {
      guard hasReference, let reference = reference as? Data else { return "a reference" }
      if let difference = difference(reference: reference, row.number) { return difference }
    } else if hasReference {
      return "no reference"
    }
    var wanted = row.values
    wanted["agrp"] = .text(row.group)
    wanted["pdmn"] = .text(row.protection)
    wanted["sync"] = .number(row.isSync ? 1 : 0)
    // A find gives two more that no program sets.
    if hasControl {
      wanted["tomb"] = .number(0)
      wanted["musr"] = .data([])
    }
    if hasClass { wanted["class"] = .text(row.itemClass) }
    if hasData, let data = row.data { wanted["v_Data"] = .data(data) }
    for name in Set(wanted.keys).union(rest.keys).sorted() {
      let held = rest[name].map(Value.init(object:))
      guard held == wanted[name] else {
        return
          "\(name) is \(held.map { "\($0)" } ?? "absent"), the model says \(wanted[name].map { "\($0)" } ?? "absent")"
      }
    }
    return nil
  }
}

extension Value {
  fileprivate init(object: Any) {
    switch object {
    case let text as String: self = .text(text)
    case let data as Data: self = .data([UInt8](data))
    case let number as NSNumber: self = .number(number.int64Value)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    default: self = .array
    }
  }
}

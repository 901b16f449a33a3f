import Foundation

// The calls of other programs.
extension StoppedHolder {
  struct Call {
    let arguments: [String]
    /// What must stand in the output.
    let text: String
    let isBusy: Bool

    init(_ arguments: [String], says text: String, isBusy: Bool = false) {
      self.arguments = arguments
      self.text = text
      self.isBusy = isBusy
    }
  }

  func start(_ calls: [Call]) throws -> [(Call, Child)] {
    try calls.map {
      ($0, try setting.start([setting.program] + $0.arguments, input: Array("changed".utf8), home: home))
    }
  }

  func end(_ calls: [(Call, Child)], _ began: Date) throws -> Double {
    for (call, child) in calls {
      let ending = try child.wait()
      let title = call.arguments.joined(separator: " ")
      guard ending.exitCode == (call.isBusy ? 5 : 0) else {
        throw Fault("\(title): exit code \(ending.exitCode ?? -1): \(ending.errorText)")
      }
      guard !call.isBusy || ending.errorText.contains("others use the vault") else {
        throw Fault("\(title): does not say why: \(ending.errorText)")
      }
      guard call.text.isEmpty || String(decoding: ending.output, as: UTF8.self).contains(call.text) else {
        throw Fault("\(title): not the true answer")
      }
    }
    let seconds = Date().timeIntervalSince(began)
    guard seconds <= Self.secondsMax else { throw Fault("a call took more than \(Self.secondsMax) s: \(seconds)") }
    return seconds
  }
}

import Testing

@testable import AppAudit

@Suite("Rule permission.denial-ignored")
struct DenialIgnoredRuleTests {
  @Test("an answer without a branch for no is found")
  func ignored() throws {
    try expectMarkedFindings(
      DenialIgnoredRule(),
      [
        "App/Scan.swift": """
        import AVFoundation
        func one() {
          AVCaptureDevice.requestAccess(for: .video) { granted in // expect: permission.denial-ignored
            if granted { start() }
          }
        }
        func two() { AVCaptureDevice.requestAccess(for: .video) { _ in } } // expect: permission.denial-ignored
        func three() async {
          if await AVCaptureDevice.requestAccess(for: .video) { start() } // expect: permission.denial-ignored
        }
        func four() {
          PHPhotoLibrary.requestAuthorization { status in // expect: permission.denial-ignored
            if status == .authorized { start() }
          }
        }
        """
      ])
  }

  @Test("an answer that is branched on, handed on or looked up is silent")
  func handled() throws {
    try expectMarkedFindings(
      DenialIgnoredRule(),
      [
        "App/Scan.swift": """
        import AVFoundation
        func one() {
          AVCaptureDevice.requestAccess(for: .video) { granted in
            if granted { start() } else { explain() }
          }
        }
        func two(_ completion: @escaping (Bool) -> Void) { AVCaptureDevice.requestAccess(for: .video) { completion($0) } }
        func three() async {
          guard await AVCaptureDevice.requestAccess(for: .video) else { return explain() }
          start()
        }
        func four() {
          PHPhotoLibrary.requestAuthorization { status in
            switch status {
            case .authorized: start()
            default: explain()
            }
          }
        }
        func five() { AVCaptureDevice.requestAccess(for: .video, completionHandler: show) }
        func six() { AVCaptureDevice.requestAccess(for: .video) { granted in self.isGranted = granted } }
        func seven() async { isGranted = await AVCaptureDevice.requestAccess(for: .video) }
        """,
        "App/Other.swift": """
        import AVFoundation
        func ask() { AVCaptureDevice.requestAccess(for: .video) { _ in refresh() } }
        func refresh() { show(AVCaptureDevice.authorizationStatus(for: .video)) }
        """,
      ])
  }
}

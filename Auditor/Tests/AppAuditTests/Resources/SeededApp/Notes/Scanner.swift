// swift-format-ignore-file
import AVFoundation
import CoreLocation

final class Scanner {
  private let manager = CLLocationManager()

  func scan() {
    AVCaptureDevice.requestAccess(for: .video) { granted in
// wrong: permission.denial-ignored
      if granted { self.start() }
// right
      if granted { self.start() } else { self.explain() }
// end
    }
  }

  func locate() { manager.requestWhenInUseAuthorization() }
  private func start() {}
  private func explain() {}
}

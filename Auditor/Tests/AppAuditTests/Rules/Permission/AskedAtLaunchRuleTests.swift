import Testing

@testable import AppAudit

@Suite("Rule permission.at-launch")
struct AskedAtLaunchRuleTests {
  @Test("questions at launch are found where they stand, in functions that are called there too")
  func launch() throws {
    try expectMarkedFindings(
      AskedAtLaunchRule(),
      [
        "App/AppDelegate.swift": """
        import UIKit
        import UserNotifications
        final class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(_ app: UIApplication, didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { ok, _ in show(ok) } // expect: permission.at-launch
            ask()
            LocationService.shared.start()
            return true
          }
          private func ask() {
            AVCaptureDevice.requestAccess(for: .video) { ok in show(ok) } // expect: permission.at-launch
          }
        }
        """,
        "App/LocationService.swift": """
        import CoreLocation
        final class LocationService {
          let manager = CLLocationManager()
          func start() {
            manager.requestWhenInUseAuthorization() // expect: permission.at-launch
          }
        }
        """,
        "App/AppDelegate.m": """
        - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)options {
          [self.manager requestWhenInUseAuthorization]; // expect: permission.at-launch
          return YES;
        }
        """,
      ])
  }

  @Test("the initialiser of the App and the first view count")
  func swiftUI() throws {
    try expectMarkedFindings(
      AskedAtLaunchRule(),
      [
        "App/Main.swift": """
        import SwiftUI
        @main
        struct NotesApp: App {
          init() {
            PHPhotoLibrary.requestAuthorization { status in show(status) } // expect: permission.at-launch
          }
          var body: some Scene { WindowGroup { RootView() } }
        }
        """,
        "App/RootView.swift": """
        import SwiftUI
        struct RootView: View {
          var body: some View {
            Text("a").onAppear {
              ATTrackingManager.requestTrackingAuthorization { status in show(status) } // expect: permission.at-launch
            }
          }
        }
        """,
      ])
  }

  @Test("questions at the moment of use are silent, and so are provisional notifications")
  func use() throws {
    try expectMarkedFindings(
      AskedAtLaunchRule(),
      [
        "App/AppDelegate.swift": """
        import UIKit
        import UserNotifications
        final class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(_ app: UIApplication, didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
            UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .provisional]) { ok, _ in show(ok) }
            center.getNotificationSettings { show($0) }
            return true
          }
        }
        """,
        "App/Main.swift": """
        import SwiftUI
        struct OtherApp: App { var body: some Scene { WindowGroup { RootView() } } }
        struct RootView: View {
          var body: some View { Button("Scan") { AVCaptureDevice.requestAccess(for: .video) { ok in show(ok) } } }
        }
        struct ScanView: View {
          var body: some View { Text("a").task { _ = await AVCaptureDevice.requestAccess(for: .video) } }
        }
        """,
        "App/Scan.m": """
        - (void)scan { [self.manager requestWhenInUseAuthorization]; }
        """,
      ])
  }
}

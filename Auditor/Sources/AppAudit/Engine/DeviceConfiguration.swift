import SwiftIfConfig
import SwiftSyntax

/// What `#if` asks, answered for an iPhone and the Release configuration.
struct DeviceConfiguration: BuildConfiguration {
  /// `SWIFT_ACTIVE_COMPILATION_CONDITIONS` of the target.
  let conditions: Set<String>

  /// Modules that no SDK of iOS has.
  private static let absentModules: Set<String> = [
    "AppKit", "Cocoa", "Carbon", "Glibc", "Musl", "Android", "WinSDK", "ucrt", "WASILibc", "FoundationNetworking",
    "FoundationXML", "WatchKit", "TVUIKit", "Bionic", "CRT",
  ]

  func isCustomConditionSet(name: String) throws -> Bool { conditions.contains(name) }
  func hasFeature(name: String) throws -> Bool { true }
  func hasAttribute(name: String) throws -> Bool { true }
  func canImport(importPath: [(TokenSyntax, String)], version: CanImportVersion) throws -> Bool {
    !Self.absentModules.contains(importPath.first?.1 ?? "")
  }
  func isActiveTargetOS(name: String) throws -> Bool { name == "iOS" }
  func isActiveTargetArchitecture(name: String) throws -> Bool { name == "arm64" }
  func isActiveTargetEnvironment(name: String) throws -> Bool { false }
  func isActiveTargetRuntime(name: String) throws -> Bool { name == "_ObjC" || name == "_multithreaded" }
  func isActiveTargetPointerAuthentication(name: String) throws -> Bool { name == "_none" }
  func isActiveTargetObjectFormat(name: String) throws -> Bool { name == "MachO" }
  var targetPointerBitWidth: Int { 64 }
  var targetAtomicBitWidths: [Int] { [8, 16, 32, 64, 128] }
  var endianness: Endianness { .little }
  var languageVersion: VersionTuple { VersionTuple(6) }
  var compilerVersion: VersionTuple { VersionTuple(6, 3) }
}

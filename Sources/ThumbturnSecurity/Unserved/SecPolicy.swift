// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation

/// Rules by which a certificate is judged.
///
/// Nothing evaluates one yet.
public final class SecPolicy: NSObject, Sendable {}

/// The rules of X.509 alone.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy() }

/// The class number of policies.
public func SecPolicyGetTypeID() -> CFTypeID { TypeNumber.policy }

/// How a signature or an encrypted text is padded.
public struct SecPadding: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// A padding with these bits, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// PKCS#1 version 1.5.
  public static let PKCS1 = Self(rawValue: 1)
  /// OAEP.
  public static let OAEP = Self(rawValue: 2)
  /// For EC: raw r and s.
  public static let sigRaw = Self(rawValue: 0x4000)
  /// PKCS#1 with MD2.
  public static let PKCS1MD2 = Self(rawValue: 0x8000)
  /// PKCS#1 with MD5.
  public static let PKCS1MD5 = Self(rawValue: 0x8001)
  /// PKCS#1 with SHA-1.
  public static let PKCS1SHA1 = Self(rawValue: 0x8002)
  /// PKCS#1 with SHA-224.
  public static let PKCS1SHA224 = Self(rawValue: 0x8003)
  /// PKCS#1 with SHA-256.
  public static let PKCS1SHA256 = Self(rawValue: 0x8004)
  /// PKCS#1 with SHA-384.
  public static let PKCS1SHA384 = Self(rawValue: 0x8005)
  /// PKCS#1 with SHA-512.
  public static let PKCS1SHA512 = Self(rawValue: 0x8006)
}

/// Reads certificates and keys from a PKCS#12 file.
///
/// - Returns: errSecUnimplemented: not served yet; `items` is not touched.
@safe
public func SecPKCS12Import(
  _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  errSecUnimplemented
}

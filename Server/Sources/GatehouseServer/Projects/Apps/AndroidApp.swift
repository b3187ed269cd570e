package import Foundation
package import GatehouseProtocol

/// One of a project's apps on Android. The server publishes its package name and fingerprints for
/// Google, so that the app opens the server's links.
package struct AndroidApp: Hashable, Sendable {
  package let project: ProjectID
  /// `com.example.app`: the application id.
  package let packageName: String
  package var displayName: String?
  /// SHA-256 of the certificates that the app is signed with, as ``fingerprint(_:)`` writes them.
  package var fingerprints: [String]
  package let createdAt: Date

  /// An app needs several for test builds, or while a signing key is replaced.
  package static let maximumFingerprints = 20
  package static let maximumPerProject = 100

  package init(
    project: ProjectID, packageName: String, displayName: String? = nil, fingerprints: [String],
    createdAt: Date
  ) {
    self.project = project
    self.packageName = packageName
    self.displayName = displayName
    self.fingerprints = fingerprints
    self.createdAt = createdAt
  }

  /// Whether the text can be an application id: two parts or more, each a letter and then letters,
  /// digits and `_` (Android, "Configure the app module"); at most 150 bytes, which is Google
  /// Play's limit.
  package static func isPackageName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 150 && parts.count > 1
      && parts.allSatisfy { part in
        guard let first = part.first, isLetter(first) else { return false }
        return part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
      }
  }

  /// 32 bytes in upper-case hexadecimal digits, separated by colons, as Digital Asset Links and
  /// `keytool` write them; nil if the text is not a SHA-256. Lower-case digits and missing colons
  /// are accepted.
  package static func fingerprint(_ text: String) -> String? {
    let isWithColons = text.utf8.contains(UInt8(ascii: ":"))
    let pairs =
      isWithColons
      ? text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      : stride(from: 0, to: text.utf8.count, by: 2).map { start in
        String(decoding: text.utf8.dropFirst(start).prefix(2), as: UTF8.self)
      }
    guard text.utf8.count <= 95, pairs.count == 32,
      pairs.allSatisfy({ Hexadecimal.bytes($0.lowercased())?.count == 1 })
    else { return nil }
    return pairs.joined(separator: ":").uppercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

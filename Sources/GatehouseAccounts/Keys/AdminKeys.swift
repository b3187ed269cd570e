import Crypto
package import Foundation
package import GatehouseModel
import GatehouseTokens

/// Keys with which scripts act as administrators: `gha_` and 256 random bits.
package struct AdminKeys: Sendable {
  private let store: any Store

  private static let mark = "gha_"
  private static let prefixLength = 12

  package init(store: any Store) { self.store = store }

  /// Makes a key. Its text is told this once; the store keeps a hash.
  ///
  /// - Parameters:
  ///   - project: The one project that it is good for; nil for all.
  ///   - expiresAt: Nil for a key that lasts until it is deleted.
  package func create(
    for project: ProjectID?, expiresAt: Date?, now: Date
  ) async throws -> (key: Secret<String>, record: AdminKeyRecord) {
    var generator = SystemRandomNumberGenerator()
    let random = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let text = Self.mark + Base64URL.encode(random)
    let record = AdminKeyRecord(
      prefix: String(text.prefix(Self.prefixLength)), digest: Self.digest(of: text),
      project: project, createdAt: now, expiresAt: expiresAt)
    try await store.write { try $0.insert(record) }
    return (Secret(text), record)
  }

  /// Whether the bearer of this key may administer the project.
  ///
  /// The lookup is by the key's SHA-256: comparing it in the index tells nothing useful about a key
  /// of 256 random bits.
  package func authorizes(
    _ bearer: Secret<String>, for project: ProjectID, now: Date
  ) async throws -> Bool {
    let text = bearer.reveal()
    guard text.utf8.starts(with: Self.mark.utf8), text.utf8.count <= 128 else { return false }
    let digest = Self.digest(of: text)
    guard let record = try await store.read({ try $0.adminKey(digest: digest) }) else {
      return false
    }
    if let expiresAt = record.expiresAt, now >= expiresAt { return false }
    return record.project.map { $0 == project } ?? true
  }

  package func list() async throws -> [AdminKeyRecord] {
    try await store.read { try $0.adminKeys() }
  }

  /// False if there is no key with the prefix.
  package func delete(prefix: String) async throws -> Bool {
    try await store.write { try $0.deleteAdminKey(prefix: prefix) }
  }

  private static func digest(of text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8)))
  }
}

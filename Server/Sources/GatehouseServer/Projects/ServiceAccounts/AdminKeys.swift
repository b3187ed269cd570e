package import Foundation
package import GatehouseProtocol

/// Keys with which scripts act as administrators: `gha_` and 256 random bits.
package struct AdminKeys: Sendable {
  private let store: any Store

  private static let prefixLength = 12

  package init(store: any Store) { self.store = store }

  /// Creates a key. Its text is returned only here; the store keeps a hash.
  ///
  /// - Parameters:
  ///   - project: The one project for which the key is valid; nil for all.
  ///   - role: What its bearer may do there.
  ///   - expiresAt: Nil for a key that is valid until it is deleted.
  package func create(
    for project: ProjectID?, role: AdministratorRole = .administrator, expiresAt: Date?, now: Date
  ) async throws -> (key: Secret<String>, record: AdminKeyRecord) {
    let secret = RandomSecret(mark: .adminKey)
    let record = AdminKeyRecord(
      prefix: String(secret.text.reveal().prefix(Self.prefixLength)), digest: secret.digest,
      project: project, role: role, createdAt: now, expiresAt: expiresAt)
    try await store.write { try $0.insert(record) }
    return (secret.text, record)
  }

  /// The administrator who has the key; nil if there is none. The administrator's name is the key's prefix.
  package func administrator(
    with bearer: Secret<String>, now: Date
  ) async throws -> Administrator? {
    guard let digest = RandomSecret.digest(of: bearer, mark: .adminKey),
      let record = try await store.read({ try $0.adminKey(digest: digest) })
    else { return nil }
    if let expiresAt = record.expiresAt, now >= expiresAt { return nil }
    return Administrator(name: record.prefix, role: record.role, of: record.project)
  }

  package func list() async throws -> [AdminKeyRecord] {
    try await store.read { try $0.adminKeys() }
  }

  /// Deletes the key that ``list()`` shows with exactly this prefix.
  ///
  /// - Returns: False if there is no key with exactly this prefix.
  package func delete(prefix: String) async throws -> Bool {
    try await store.write { try $0.deleteAdminKey(prefix: prefix) }
  }
}

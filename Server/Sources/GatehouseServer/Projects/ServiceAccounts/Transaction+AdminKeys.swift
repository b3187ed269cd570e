package import struct Foundation.Date
package import GatehouseProtocol

extension Transaction {
  package func adminKey(digest: [UInt8]) throws -> AdminKeyRecord? {
    try connection.first(KeySQL.adminKey, .blob(digest), read: Self.adminKey)
  }

  package func adminKeys() throws -> [AdminKeyRecord] {
    try connection.all(KeySQL.adminKeys, read: Self.adminKey)
  }

  /// Increases ``Store/changeCounter()``.
  package func insert(_ key: AdminKeyRecord) throws {
    let project = try key.project.map { SQLValue.integer(try existingKey(of: $0)) }
    try changeAdminKey(key.prefix, in: key.project) {
      try connection.run(
        KeySQL.insertAdminKey, .blob(key.digest), .text(key.prefix), project ?? .null,
        .time(key.createdAt), .optional(key.expiresAt), .text(key.role.rawValue))
    }
  }

  /// Deletes the key with exactly this prefix, and no other key that begins with it. False if there
  /// is none. Increases ``Store/changeCounter()``.
  package func deleteAdminKey(prefix: String) throws -> Bool {
    try changeAdminKey(prefix, in: nil) {
      try connection.change(KeySQL.deleteAdminKey, .text(prefix)) > 0
    }
  }

  private func changeAdminKey<Value>(
    _ prefix: String, in project: ProjectID?, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("admin key", prefix), in: project,
      reading: { try adminKeys().first { $0.prefix.hasSameBytes(as: prefix) } }, change)
  }

  private static func adminKey(_ row: SQLRow) throws -> AdminKeyRecord {
    // A key without a project is valid for all projects. A key whose project can't be read must not
    // become such a key.
    let project = row.isNull(2) ? nil : try row.value(3, "project's id", ProjectID.init)
    return AdminKeyRecord(
      prefix: try row.text(1), digest: row.blob(0), project: project,
      role: try row.value(6, "administrator's role", AdministratorRole.init(rawValue:)),
      createdAt: row.time(4), expiresAt: row.optionalTime(5))
  }
}

/// A key for administrators' scripts, stored as a hash.
package struct AdminKeyRecord: Hashable, Sendable {
  /// The first characters of the key, by which an operator recognises it. Not secret.
  package let prefix: String
  /// SHA-256 of the whole key. The key has 256 random bits, so a slow hash would add nothing.
  package let digest: [UInt8]
  /// The one project for which the key is valid; nil means all.
  package let project: ProjectID?
  package let role: AdministratorRole
  package let createdAt: Date
  package var expiresAt: Date?

  package init(
    prefix: String, digest: [UInt8], project: ProjectID?, role: AdministratorRole = .administrator,
    createdAt: Date, expiresAt: Date?
  ) {
    self.prefix = prefix
    self.digest = digest
    self.project = project
    self.role = role
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

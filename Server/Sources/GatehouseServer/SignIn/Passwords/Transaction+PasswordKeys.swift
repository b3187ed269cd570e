package import GatehouseProtocol

enum PasswordKeySQL: String, SQLStatement {
  case key = """
    SELECT k.id, p.id, k.password_key FROM password_keys AS k JOIN projects AS p
      ON p.key = k.project
    WHERE k.id = ?
    """
  case keysOfProject = """
    SELECT k.id, p.id, k.password_key FROM projects AS p JOIN password_keys AS k
      ON k.project = p.key
    WHERE p.id = ? ORDER BY k.id
    """
  case save = """
    INSERT INTO password_keys (id, project, password_key) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET password_key = excluded.password_key
    """
}

extension Transaction {
  package func passwordKey(_ id: String) throws -> PasswordKey? {
    try connection.first(PasswordKeySQL.key, .text(id), read: passwordKey)
  }

  /// The keys of a project's imports: at most 64.
  package func passwordKeys(of project: ProjectID) throws -> [PasswordKey] {
    try connection.all(PasswordKeySQL.keysOfProject, .text(project.text), read: passwordKey)
  }

  /// Writes the key, encrypted, and replaces the one stored under its id. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  package func save(_ key: PasswordKey) throws {
    let sealed = try sealing.seal(key.key.reveal(), at: Self.place(key.id, in: key.project))
    try changeSetting(
      SettingName("password key", key.id), in: key.project,
      reading: { try passwordKeys(of: key.project).first { $0.id.hasSameBytes(as: key.id) } }
    ) {
      try connection.run(
        PasswordKeySQL.save, .text(key.id), .integer(try existingKey(of: key.project)),
        .blob(sealed))
    }
  }

  private func passwordKey(_ row: SQLRow) throws -> PasswordKey {
    let id = try row.text(0)
    let project = try row.value(1, "project's id", ProjectID.init)
    let key = try sealing.open(row.blob(2), at: Self.place(id, in: project))
    return PasswordKey(id: id, project: project, key: Secret(key))
  }

  private static func place(_ id: String, in project: ProjectID) -> SealedPlace {
    SealedPlace(.passwordKey, project: project.text, row: id)
  }
}

/// The key of an imported hash scheme: one for all accounts that were imported with it.
package struct PasswordKey: Sendable {
  /// 32 random hexadecimal digits, by which the accounts' hashes refer to the key.
  package let id: String
  package let project: ProjectID
  /// Encrypted at rest.
  package let key: Secret<[UInt8]>

  package init(id: String, project: ProjectID, key: Secret<[UInt8]>) {
    self.id = id
    self.project = project
    self.key = key
  }
}

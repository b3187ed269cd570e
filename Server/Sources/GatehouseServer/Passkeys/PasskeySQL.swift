import Foundation
package import GatehouseProtocol

enum PasskeyColumn: Int32, SQLColumn, SQLPosition {
  case credentialId, publicKey, algorithm, signCount, isBackupEligible, isBackedUp, transports
  case aaguid, name, userHandle, createdAt, lastUsedAt, unconfirmedSince
}

enum PasskeySQL: SQLStatement, CaseIterable {
  /// Values: the project and the credential's id. The columns, and the account's id.
  case find
  /// Values: the project and the account's id.
  case ofAccount
  /// Values: the project, the account's id, and the columns.
  case insert
  /// Values: the project, the credential's id, and what an authentication changes.
  case use
  case delete
  /// Values: the project and the account's id.
  case deleteAll, deleteUnconfirmed, confirm

  private static let account = "(SELECT key FROM accounts WHERE project = ?1 AND uid = ?2)"

  var text: String {
    switch self {
    case .find:
      """
      SELECT \(PasskeyColumn.allCases.map { "p.\($0.name)" }.joined(separator: ", ")), a.uid
      FROM passkeys AS p JOIN accounts AS a ON a.key = p.account
      WHERE p.project = ?1 AND p.credential_id = ?2
      """
    case .ofAccount:
      """
      SELECT \(PasskeyColumn.list) FROM passkeys WHERE account = \(Self.account)
      ORDER BY created_at, credential_id
      """
    case .insert:
      """
      INSERT INTO passkeys (project, account, \(PasskeyColumn.list))
      VALUES (?1, \(Self.account), \(PasskeyColumn.marks(behind: 2)))
      """
    case .use:
      """
      UPDATE passkeys SET sign_count = ?3, is_backed_up = ?4, last_used_at = ?5
      WHERE project = ?1 AND credential_id = ?2
      """
    case .delete:
      """
      DELETE FROM passkeys WHERE account = \(Self.account) AND credential_id = ?3
      """
    case .deleteAll: "DELETE FROM passkeys WHERE account = \(Self.account)"
    case .deleteUnconfirmed:
      """
      DELETE FROM passkeys WHERE account = \(Self.account) AND unconfirmed_since IS NOT NULL
      """
    case .confirm:
      """
      UPDATE passkeys SET unconfirmed_since = NULL
      WHERE account = \(Self.account) AND unconfirmed_since IS NOT NULL
      """
    }
  }
}

extension Passkey {
  init(_ row: SQLRow) throws {
    typealias Column = PasskeyColumn
    credentialID = row.blob(Column.credentialId)
    publicKey = row.blob(Column.publicKey)
    algorithm = Int(clamping: row.integer(Column.algorithm))
    signCount = UInt32(clamping: row.integer(Column.signCount))
    isBackupEligible = row.flag(Column.isBackupEligible)
    isBackedUp = row.flag(Column.isBackedUp)
    transports = try JSONColumn.value(try row.text(Column.transports), "passkey")
    if !row.isNull(Column.aaguid) {
      aaguid = try row.value(Column.aaguid, "passkey's model") { UUID(uuidString: $0) }
    }
    name = try row.text(Column.name)
    userHandle = row.blob(Column.userHandle)
    createdAt = row.time(Column.createdAt)
    lastUsedAt = row.optionalTime(Column.lastUsedAt)
    unconfirmedSince = row.optionalTime(Column.unconfirmedSince)
  }

  func value(_ column: PasskeyColumn) throws -> SQLValue {
    switch column {
    case .credentialId: .blob(credentialID)
    case .publicKey: .blob(publicKey)
    case .algorithm: .integer(Int64(algorithm))
    case .signCount: .integer(Int64(signCount))
    case .isBackupEligible: .flag(isBackupEligible)
    case .isBackedUp: .flag(isBackedUp)
    case .transports: .text(try JSONColumn.text(transports))
    case .aaguid: .optional(aaguid?.uuidString.asciiLowercased)
    case .name: .text(name)
    case .userHandle: .blob(userHandle)
    case .createdAt: .time(createdAt)
    case .lastUsedAt: .optional(lastUsedAt)
    case .unconfirmedSince: .optional(unconfirmedSince)
    }
  }
}

extension Transaction {
  /// The passkey with this credential id, and its account.
  func passkey(
    _ credentialID: [UInt8], in project: ProjectID
  ) throws -> (passkey: Passkey, uid: UID)? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(PasskeySQL.find, .integer(key), .blob(credentialID)) { row in
      (
        try Passkey(row),
        try row.value(PasskeyColumn.allCases.count, "account's id", UID.init)
      )
    }
  }

  /// Oldest first. Reads nothing if the account has none.
  package func passkeys(of account: Account, in project: ProjectID) throws -> [Passkey] {
    guard account.passkeys.all > 0, let key = try key(of: project) else { return [] }
    return try connection.all(PasskeySQL.ofAccount, .integer(key), .text(account.uid.text)) {
      try Passkey($0)
    }
  }

  /// Stores the passkey of a saved account. The account's ``Account/passkeys`` must count it.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` if the project has the credential id already.
  func insert(_ passkey: Passkey, of uid: UID, in project: ProjectID) throws {
    let values: [SQLValue] = [.integer(try existingKey(of: project)), .text(uid.text)]
    try connection.run(
      PasskeySQL.insert, values + (try PasskeyColumn.allCases.map { try passkey.value($0) }))
  }

  /// Stores the passkey of a saved account, and counts it in `account`, which the caller saves.
  func add(_ passkey: Passkey, to account: inout Account, in project: ProjectID) throws {
    try insert(passkey, of: account.uid, in: project)
    account.passkeys.all += 1
    if passkey.unconfirmedSince != nil { account.passkeys.unconfirmed += 1 }
  }

  /// Stores the counter, the backup state and the time of a use.
  func update(_ passkey: Passkey, in project: ProjectID) throws {
    try connection.run(
      PasskeySQL.use, .integer(try existingKey(of: project)), .blob(passkey.credentialID),
      .integer(Int64(passkey.signCount)), .flag(passkey.isBackedUp), .optional(passkey.lastUsedAt))
  }

  /// Removes those of the account's passkeys that have one of the ids, and counts them in `account`, which
  /// the caller saves. Ignores other ids.
  ///
  /// - Returns: The removed passkeys.
  func removePasskeys(
    _ credentialIDs: [[UInt8]], from account: inout Account, in project: ProjectID
  ) throws -> [Passkey] {
    guard !credentialIDs.isEmpty else { return [] }
    let removed = try passkeys(of: account, in: project).filter {
      credentialIDs.contains($0.credentialID)
    }
    let key = SQLValue.integer(try existingKey(of: project))
    // Without any in the count, the caller removes the unconfirmed ones already.
    let keepsUnconfirmed = account.passkeys.unconfirmed == 0
    for passkey in removed where !keepsUnconfirmed || passkey.unconfirmedSince == nil {
      try connection.run(
        PasskeySQL.delete, key, .text(account.uid.text), .blob(passkey.credentialID))
      account.passkeys.all -= 1
      if passkey.unconfirmedSince != nil { account.passkeys.unconfirmed -= 1 }
    }
    return removed
  }

  /// Makes the passkeys what a saved account says of them. A takeover and a confirmation change only the
  /// account.
  ///
  /// - No passkeys: all are deleted.
  /// - No unconfirmed ones any more: if fewer passkeys are left, the unconfirmed ones are deleted;
  ///   otherwise they are confirmed.
  func followPasskeys(
    of account: Account, replacing before: Account?, in project: ProjectID
  ) throws {
    guard let before = before?.passkeys, before != account.passkeys, before.all > 0 else { return }
    let values: [SQLValue] = [.integer(try existingKey(of: project)), .text(account.uid.text)]
    if account.passkeys.all == 0 {
      try connection.run(PasskeySQL.deleteAll, values)
    } else if before.unconfirmed > 0, account.passkeys.unconfirmed == 0 {
      let isRemoved = account.passkeys.all < before.all
      try connection.run(isRemoved ? PasskeySQL.deleteUnconfirmed : .confirm, values)
    }
  }
}

extension AccountsService {
  /// Oldest first. Reads nothing if the account has none.
  package func passkeys(of account: Account, in project: Project) async throws -> [Passkey] {
    try await passkeys(of: [account], in: project)[account.uid] ?? []
  }

  /// The passkeys of those accounts that have any.
  func passkeys(of accounts: [Account], in project: Project) async throws -> [UID: [Passkey]] {
    let owners = accounts.filter { $0.passkeys.all > 0 }
    if owners.isEmpty { return [:] }
    return try await store.read { transaction in
      var passkeys: [UID: [Passkey]] = [:]
      for owner in owners {
        passkeys[owner.uid] = try transaction.passkeys(of: owner, in: project.id)
      }
      return passkeys
    }
  }
}

package import Foundation
package import GatehouseProtocol

enum PhoneVerificationSQL: String, SQLStatement {
  case setTries = "UPDATE phone_verifications SET tries = ? WHERE project = ? AND digest = ?"
  case delete = "DELETE FROM phone_verifications WHERE project = ? AND digest = ?"
  case sweep = """
    DELETE FROM phone_verifications WHERE key IN (
      SELECT key FROM phone_verifications WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
}

enum PhoneVerificationColumn: Int32, SQLColumn, SQLPosition {
  case digest, phoneNumber, codeDigest, tries, isTest, createdAt, expiresAt, sessionInfo, code
}

enum PhoneVerificationRecordSQL: SQLStatement {
  case insert, verification, list

  var text: String {
    switch self {
    case .insert: Self.insertText
    case .verification: Self.verificationText
    case .list: Self.listText
    }
  }

  /// Values: the project, and the columns.
  private static let insertText = """
    INSERT INTO phone_verifications (project, \(PhoneVerificationColumn.list))
    VALUES (?1, \(PhoneVerificationColumn.marks(behind: 1)))
    """
  private static let verificationText = """
    SELECT \(PhoneVerificationColumn.list) FROM phone_verifications
    WHERE project = ? AND digest = ?
    """
  private static let listText = """
    SELECT \(PhoneVerificationColumn.list) FROM phone_verifications
    WHERE project = ? ORDER BY key LIMIT ?
    """
}

enum CodeWebhookSQL: String, SQLStatement {
  case webhook = "SELECT url, secret FROM code_webhooks WHERE project = ?"
  case save = """
    INSERT INTO code_webhooks (project, url, secret) VALUES (?, ?, ?)
    ON CONFLICT (project) DO UPDATE SET url = excluded.url, secret = excluded.secret
    """
  case delete = "DELETE FROM code_webhooks WHERE project = ?"
}

extension Transaction {
  package func insert(_ verification: PhoneVerification, in project: ProjectID) throws {
    try connection.run(
      PhoneVerificationRecordSQL.insert,
      [.integer(try existingKey(of: project))]
        + PhoneVerificationColumn.allCases.map { try value($0, of: verification, in: project) })
  }

  private func value(
    _ column: PhoneVerificationColumn, of verification: PhoneVerification, in project: ProjectID
  ) throws -> SQLValue {
    func sealed(_ text: Secret<String>?, _ column: SealedColumn) throws -> SQLValue {
      .optional(
        try text.map {
          try sealing.seal(
            Array($0.reveal().utf8),
            at: Self.place(column, of: verification.session.digest, in: project))
        })
    }
    return switch column {
    case .digest: .blob(verification.session.digest)
    case .phoneNumber: .text(verification.phoneNumber.text)
    case .codeDigest: .blob(verification.session.codeDigest)
    case .tries: .integer(Int64(verification.session.tries))
    case .isTest: .flag(verification.isTest)
    case .createdAt: .time(verification.createdAt)
    case .expiresAt: .time(verification.expiresAt)
    case .sessionInfo: try sealed(verification.revealed?.sessionInfo, .phoneSessionInfo)
    case .code: try sealed(verification.revealed?.code, .phoneCode)
    }
  }

  /// - Parameter digest: The SHA-256 of the session's id.
  package func phoneVerification(
    digest: [UInt8], in project: ProjectID
  ) throws -> PhoneVerification? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      PhoneVerificationRecordSQL.verification, .integer(key), .blob(digest)
    ) { try phoneVerification($0, in: project) }.flatMap(\.self)
  }

  /// No effect if there is none.
  package func setTries(
    _ tries: Int, ofPhoneVerification digest: [UInt8], in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      PhoneVerificationSQL.setTries, .integer(Int64(tries)), .integer(key), .blob(digest))
  }

  /// No effect if there is none.
  package func deletePhoneVerification(digest: [UInt8], in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(PhoneVerificationSQL.delete, .integer(key), .blob(digest))
  }

  /// At most `limit`, oldest first.
  package func phoneVerifications(limit: Int, in project: ProjectID) throws -> [PhoneVerification] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      PhoneVerificationRecordSQL.list, .integer(key), .integer(Int64(max(limit, 0)))
    ) { try phoneVerification($0, in: project) }.compactMap(\.self)
  }

  /// Removes at most `limit` codes that expired before the time; returns how many were removed.
  package func sweepPhoneVerifications(expiredBefore: Date, limit: Int) throws -> Int {
    try connection.change(
      PhoneVerificationSQL.sweep, .time(expiredBefore), .integer(Int64(max(limit, 0))))
  }

  private func phoneVerification(
    _ row: SQLRow, in project: ProjectID
  ) throws -> PhoneVerification? {
    typealias Column = PhoneVerificationColumn
    // The plan of a country's numbers may have changed since: the code went to the number that is stored.
    let text = try row.text(Column.phoneNumber)
    guard let number = PhoneNumber(text), number.text.hasSameBytes(as: text) else { return nil }
    let digest = row.blob(Column.digest)
    let open = { [sealing] (column: SealedColumn, sealed: [UInt8]) in
      let bytes = try sealing.open(sealed, at: Self.place(column, of: digest, in: project))
      return Secret(String(decoding: bytes, as: UTF8.self))
    }
    var revealed: PhoneVerification.Revealed?
    if let sessionInfo = row.optionalBlob(Column.sessionInfo),
      let code = row.optionalBlob(Column.code)
    {
      revealed = PhoneVerification.Revealed(
        sessionInfo: try open(.phoneSessionInfo, sessionInfo), code: try open(.phoneCode, code))
    }
    return PhoneVerification(
      session: VerificationSession(
        digest: digest, codeDigest: row.blob(Column.codeDigest),
        tries: Int(row.integer(Column.tries))),
      phoneNumber: number,
      isTest: row.flag(Column.isTest),
      createdAt: row.time(Column.createdAt), expiresAt: row.time(Column.expiresAt),
      revealed: revealed)
  }

  private static func place(
    _ column: SealedColumn, of digest: [UInt8], in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(column, project: project.text, row: Data(digest).base64EncodedString())
  }
}

extension Transaction {
  package func codeWebhook(of project: ProjectID) throws -> CodeWebhook? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(CodeWebhookSQL.webhook, .integer(key)) { row in
      let bytes = try sealing.open(row.blob(1), at: Self.webhookPlace(project))
      guard let secret = WebhookSecret(Secret(String(decoding: bytes, as: UTF8.self))) else {
        throw StoreError.damaged("a stored webhook's secret can't be read")
      }
      return CodeWebhook(url: try row.text(0), secret: secret)
    }
  }

  /// Writes the webhook with its secret encrypted, and replaces the stored one. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  package func save(_ webhook: CodeWebhook, of project: ProjectID) throws {
    let sealed = try sealing.seal(
      Array(webhook.secret.text.reveal().utf8), at: Self.webhookPlace(project))
    try changeCodeWebhook(of: project) {
      try connection.run(
        CodeWebhookSQL.save, .integer(try existingKey(of: project)), .text(webhook.url),
        .blob(sealed))
    }
  }

  /// False if there was none. Increases ``Store/changeCounter()``.
  package func deleteCodeWebhook(of project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try changeCodeWebhook(of: project) {
      try connection.change(CodeWebhookSQL.delete, .integer(key)) > 0
    }
  }

  /// A project has one.
  private func changeCodeWebhook<Value>(
    of project: ProjectID, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("webhook for codes", project.text), in: project,
      reading: { try codeWebhook(of: project) }, change)
  }

  private static func webhookPlace(_ project: ProjectID) -> SealedPlace {
    SealedPlace(.codeWebhookSecret, project: project.text, row: project.text)
  }
}

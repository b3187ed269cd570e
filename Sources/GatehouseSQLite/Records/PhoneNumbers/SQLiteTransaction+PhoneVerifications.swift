import Foundation
import GatehouseAccounts
import GatehouseModel

extension SQLiteTransaction: PhoneVerificationRecords {
  func insert(_ verification: PhoneVerification, in project: ProjectID) throws {
    let seal = { [sealing] (column: String, text: Secret<String>) in
      try sealing.seal(
        Array(text.reveal().utf8), at: Self.place(column, of: verification.digest, in: project))
    }
    try connection.run(
      PhoneVerificationSQL.insert, .integer(try existingKey(of: project)),
      .blob(verification.digest), .text(verification.phoneNumber.text),
      .blob(verification.codeDigest), .integer(Int64(verification.tries)),
      .flag(verification.isTest), .time(verification.createdAt), .time(verification.expiresAt),
      .optional(try verification.revealed.map { try seal("session_info", $0.sessionInfo) }),
      .optional(try verification.revealed.map { try seal("code", $0.code) }))
  }

  func phoneVerification(
    digest: [UInt8], in project: ProjectID
  ) throws -> PhoneVerification? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      PhoneVerificationSQL.verification, .integer(key), .blob(digest)
    ) { try phoneVerification($0, in: project) }
  }

  func setTries(
    _ tries: Int, ofPhoneVerification digest: [UInt8], in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      PhoneVerificationSQL.setTries, .integer(Int64(tries)), .integer(key), .blob(digest))
  }

  func deletePhoneVerification(digest: [UInt8], in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(PhoneVerificationSQL.delete, .integer(key), .blob(digest))
  }

  func phoneVerifications(limit: Int, in project: ProjectID) throws -> [PhoneVerification] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      PhoneVerificationSQL.list, .integer(key), .integer(Int64(max(limit, 0)))
    ) { try phoneVerification($0, in: project) }
  }

  func sweepPhoneVerifications(expiredBefore: Date, limit: Int) throws -> Int {
    try connection.change(
      PhoneVerificationSQL.sweep, .time(expiredBefore), .integer(Int64(max(limit, 0))))
  }

  /// Reads the columns of ``PhoneVerificationSQL/verification``.
  private func phoneVerification(
    _ row: SQLRow, in project: ProjectID
  ) throws -> PhoneVerification {
    let digest = row.blob(0)
    let open = { [sealing] (column: String, sealed: [UInt8]) in
      let bytes = try sealing.open(sealed, at: Self.place(column, of: digest, in: project))
      return Secret(String(decoding: bytes, as: UTF8.self))
    }
    var revealed: PhoneVerification.Revealed?
    if let sessionInfo = row.optionalBlob(7), let code = row.optionalBlob(8) {
      revealed = PhoneVerification.Revealed(
        sessionInfo: try open("session_info", sessionInfo), code: try open("code", code))
    }
    return PhoneVerification(
      digest: digest, phoneNumber: try row.value(1, "phone number", PhoneNumber.init),
      codeDigest: row.blob(2), tries: Int(row.integer(3)), isTest: row.flag(4),
      createdAt: row.time(5), expiresAt: row.time(6), revealed: revealed)
  }

  private static func place(
    _ column: String, of digest: [UInt8], in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(
      table: "phone_verifications", project: project.text,
      row: Data(digest).base64EncodedString(), column: column)
  }
}

extension SQLiteTransaction: CodeWebhookRecords {
  func codeWebhook(of project: ProjectID) throws -> CodeWebhook? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(CodeWebhookSQL.webhook, .integer(key)) { row in
      let bytes = try sealing.open(row.blob(1), at: Self.webhookPlace(project))
      guard let secret = WebhookSecret(Secret(String(decoding: bytes, as: UTF8.self))) else {
        throw StoreError.damaged("a stored webhook's secret can't be read")
      }
      return CodeWebhook(url: try row.text(0), secret: secret)
    }
  }

  func save(_ webhook: CodeWebhook, of project: ProjectID) throws {
    let sealed = try sealing.seal(
      Array(webhook.secret.text.reveal().utf8), at: Self.webhookPlace(project))
    try connection.run(
      CodeWebhookSQL.save, .integer(try existingKey(of: project)), .text(webhook.url),
      .blob(sealed))
  }

  func deleteCodeWebhook(of project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.change(CodeWebhookSQL.delete, .integer(key)) > 0
  }

  private static func webhookPlace(_ project: ProjectID) -> SealedPlace {
    SealedPlace(
      table: "code_webhooks", project: project.text, row: project.text, column: "secret")
  }
}

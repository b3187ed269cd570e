package import Foundation
package import GatehouseProtocol

extension Transaction {
  package func insert(_ code: ActionCode, in project: ProjectID) throws {
    let link = try code.link.map {
      try sealing.seal(Array($0.reveal().utf8), at: Self.place(of: code.digest, in: project))
    }
    try connection.run(
      ActionCodeRecordSQL.insert,
      [.integer(try existingKey(of: project)), .text(code.recipient.text)]
        + ActionCodeColumn.allCases.map { code.value($0, sealedLink: link) })
  }

  package func actionCode(digest: [UInt8], in project: ProjectID) throws -> ActionCode? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(ActionCodeRecordSQL.code, .integer(key), .blob(digest)) {
      try actionCode($0, in: project)
    }
  }

  /// The code whose session has this digest; see ``ActionCode/session``.
  package func actionCode(session digest: [UInt8], in project: ProjectID) throws -> ActionCode? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(ActionCodeRecordSQL.ofSession, .integer(key), .blob(digest)) {
      try actionCode($0, in: project)
    }
  }

  package func setTries(_ tries: Int, ofActionCode session: [UInt8], in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.setTries, .integer(Int64(tries)), .integer(key), .blob(session))
  }

  /// How many codes of the purpose expire after `now`, void ones included.
  package func countActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int {
    try count(ActionCodeSQL.countByRecipient, recipient.text, purpose, now, project)
  }

  package func countActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int {
    try count(ActionCodeSQL.countByUID, uid.text, purpose, now, project)
  }

  /// Makes the codes of the purpose void and deletes their links. They are still counted until they
  /// expire.
  package func voidActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.voidByRecipient, .integer(key), .text(recipient.text),
      .text(purpose.rawValue))
  }

  package func voidActionCodes(of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID)
    throws
  {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.voidByUID, .integer(key), .text(uid.text), .text(purpose.rawValue))
  }

  /// Removes the account from its valid codes of the purpose. They stay until they expire, but no account can
  /// be changed with them.
  ///
  /// Deletes the account's void codes of the purpose, and codes for the same address that were released
  /// earlier. Otherwise an attacker could use up the limit of codes for an address (``ActionCode/maximumLive``),
  /// and then leave the address to its owner, who would get no code.
  package func releaseActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    for statement in [ActionCodeSQL.deleteReleased, .deleteVoid, .release] {
      try connection.run(
        statement, .integer(key), .text(uid.text), .text(purpose.rawValue))
    }
  }

  package func deleteActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.deleteByRecipient, .integer(key), .text(recipient.text),
      .text(purpose.rawValue))
  }

  /// - Parameter since: Codes that were created earlier are kept. Nil: all are deleted.
  package func deleteActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, since: Date?, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.deleteByUID, .integer(key), .text(uid.text), .text(purpose.rawValue),
      .integer(since?.milliseconds ?? .min))
  }

  /// At most `limit`, oldest first.
  package func actionCodes(limit: Int, in project: ProjectID) throws -> [ActionCode] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      ActionCodeRecordSQL.list, .integer(key), .integer(Int64(max(limit, 0)))
    ) { try actionCode($0, in: project) }
  }

  /// Removes at most `limit` codes that expired before the time; returns how many were removed.
  package func sweepActionCodes(expiredBefore: Date, limit: Int) throws -> Int {
    try connection.change(
      ActionCodeSQL.sweep, .time(expiredBefore), .integer(Int64(max(limit, 0))))
  }

  private func count(
    _ sql: ActionCodeSQL, _ whose: String, _ purpose: ActionCode.Purpose, _ now: Date,
    _ project: ProjectID
  ) throws -> Int {
    guard let key = try key(of: project) else { return 0 }
    let count = try connection.first(
      sql, .integer(key), .text(whose), .text(purpose.rawValue), .time(now)
    ) { $0.integer(0) }
    return Int(count ?? 0)
  }

  private func actionCode(_ row: SQLRow, in project: ProjectID) throws -> ActionCode {
    typealias Column = ActionCodeColumn
    let digest = row.blob(Column.digest)
    let link = try row.optionalBlob(Column.link).map { sealed in
      let bytes = try sealing.open(sealed, at: Self.place(of: digest, in: project))
      return Secret(String(decoding: bytes, as: UTF8.self))
    }
    var session: VerificationSession?
    if let sessionDigest = row.optionalBlob(Column.sessionDigest),
      let codeDigest = row.optionalBlob(Column.codeDigest)
    {
      session = VerificationSession(
        digest: sessionDigest, codeDigest: codeDigest, tries: Int(row.integer(Column.tries)))
    }
    return ActionCode(
      digest: digest,
      purpose: try row.value(Column.purpose, "code's purpose", ActionCode.Purpose.init(rawValue:)),
      uid: row.isNull(Column.uid) ? nil : try row.value(Column.uid, "code's account", UID.init),
      email: try row.value(Column.email, "email address", EmailAddress.init),
      newEmail: row.isNull(Column.newEmail)
        ? nil : try row.value(Column.newEmail, "email address", EmailAddress.init),
      isVoid: row.flag(Column.isVoid), createdAt: row.time(Column.createdAt),
      expiresAt: row.time(Column.expiresAt),
      verifiedAt: row.optionalTime(Column.verifiedAt), session: session, link: link)
  }

  private static func place(of digest: [UInt8], in project: ProjectID) -> SealedPlace {
    SealedPlace(
      .actionCodeLink, project: project.text, row: Data(digest).base64EncodedString())
  }
}

extension ActionCode {
  fileprivate func value(_ column: ActionCodeColumn, sealedLink: [UInt8]?) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .purpose: .text(purpose.rawValue)
    case .uid: .optional(uid?.text)
    case .email: .text(email.text)
    case .newEmail: .optional(newEmail?.text)
    case .isVoid: .flag(isVoid)
    case .createdAt: .time(createdAt)
    case .expiresAt: .time(expiresAt)
    case .link: .optional(sealedLink)
    case .verifiedAt: .optional(verifiedAt)
    case .sessionDigest: .optional(session?.digest)
    case .codeDigest: .optional(session?.codeDigest)
    case .tries: .integer(Int64(session?.tries ?? 0))
    }
  }
}

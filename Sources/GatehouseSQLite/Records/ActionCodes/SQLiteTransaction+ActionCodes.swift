import Foundation
import GatehouseAccounts
import GatehouseModel

extension SQLiteTransaction: ActionCodeRecords {
  func insert(_ code: ActionCode, in project: ProjectID) throws {
    let link = try code.link.map {
      try sealing.seal(Array($0.reveal().utf8), at: Self.place(of: code.digest, in: project))
    }
    try connection.run(
      ActionCodeSQL.insert, .integer(try existingKey(of: project)), .blob(code.digest),
      .text(code.purpose.rawValue), .optional(code.uid?.text), .text(code.email.text),
      .optional(code.newEmail?.text), .text(code.recipient.text), .flag(code.isVoid),
      .time(code.createdAt), .time(code.expiresAt), .optional(link),
      .optional(code.verifiedAt))
  }

  func actionCode(digest: [UInt8], in project: ProjectID) throws -> ActionCode? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(ActionCodeSQL.code, .integer(key), .blob(digest)) {
      try actionCode($0, in: project)
    }
  }

  func countActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int {
    try count(ActionCodeSQL.countByRecipient, recipient.text, purpose, now, project)
  }

  func countActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, now: Date, in project: ProjectID
  ) throws -> Int {
    try count(ActionCodeSQL.countByUID, uid.text, purpose, now, project)
  }

  func voidActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.voidByRecipient, .integer(key), .text(recipient.text),
      .text(purpose.rawValue))
  }

  func voidActionCodes(of uid: UID, for purpose: ActionCode.Purpose, in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.voidByUID, .integer(key), .text(uid.text), .text(purpose.rawValue))
  }

  func deleteActionCodes(
    to recipient: EmailAddress, for purpose: ActionCode.Purpose, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.deleteByRecipient, .integer(key), .text(recipient.text),
      .text(purpose.rawValue))
  }

  func deleteActionCodes(
    of uid: UID, for purpose: ActionCode.Purpose, since: Date?, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      ActionCodeSQL.deleteByUID, .integer(key), .text(uid.text), .text(purpose.rawValue),
      .integer(since?.milliseconds ?? .min))
  }

  func actionCodes(limit: Int, in project: ProjectID) throws -> [ActionCode] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      ActionCodeSQL.list, .integer(key), .integer(Int64(max(limit, 0)))
    ) { try actionCode($0, in: project) }
  }

  func sweepActionCodes(expiredBefore: Date, limit: Int) throws -> Int {
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

  /// Reads the columns of ``ActionCodeSQL/code``.
  private func actionCode(_ row: SQLRow, in project: ProjectID) throws -> ActionCode {
    let digest = row.blob(0)
    let link = try row.optionalBlob(8).map { sealed in
      let bytes = try sealing.open(sealed, at: Self.place(of: digest, in: project))
      return Secret(String(decoding: bytes, as: UTF8.self))
    }
    return ActionCode(
      digest: digest,
      purpose: try row.value(1, "code's purpose", ActionCode.Purpose.init(rawValue:)),
      uid: row.isNull(2) ? nil : try row.value(2, "code's account", UID.init),
      email: try row.value(3, "email address", EmailAddress.init),
      newEmail: row.isNull(4) ? nil : try row.value(4, "email address", EmailAddress.init),
      isVoid: row.flag(5), createdAt: row.time(6), expiresAt: row.time(7),
      verifiedAt: row.optionalTime(9), link: link)
  }

  private static func place(of digest: [UInt8], in project: ProjectID) -> SealedPlace {
    SealedPlace(
      table: "action_codes", project: project.text, row: Data(digest).base64EncodedString(),
      column: "link")
  }
}

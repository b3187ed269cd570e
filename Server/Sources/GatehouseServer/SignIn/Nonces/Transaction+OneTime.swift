package import Foundation
package import GatehouseProtocol

enum OneTimeSQL: String, SQLStatement {
  case spend = """
    INSERT INTO spent_tokens (project, digest, expires_at) VALUES (?, ?, ?)
    ON CONFLICT (project, digest) DO NOTHING
    """
  case spendNew = "INSERT INTO spent_tokens (project, digest, expires_at) VALUES (?, ?, ?)"
  case isSpent = "SELECT 1 FROM spent_tokens WHERE project = ? AND digest = ?"
  case sweepSpent = """
    DELETE FROM spent_tokens WHERE (project, digest) IN (
      SELECT project, digest FROM spent_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
  case recordDetachment = """
    INSERT INTO detachments (project, provider, subject, detached_at, kept_until)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (project, provider, subject) DO UPDATE SET
      detached_at = CASE WHEN detachments.detached_at > excluded.detached_at
        THEN detachments.detached_at ELSE excluded.detached_at END,
      kept_until = CASE WHEN detachments.kept_until > excluded.kept_until
        THEN detachments.kept_until ELSE excluded.kept_until END
    """
  case detachment = """
    SELECT detached_at FROM detachments WHERE project = ? AND provider = ? AND subject = ?
    """
  case sweepDetachments = """
    DELETE FROM detachments WHERE (project, provider, subject) IN (
      SELECT project, provider, subject FROM detachments WHERE kept_until < ?
      ORDER BY kept_until LIMIT ?)
    """
  case saveArrivedName = """
    INSERT INTO arrived_names
      (project, provider, subject, display_name, first_name, last_name, kept_until)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project, provider, subject) DO UPDATE SET
      display_name = excluded.display_name, first_name = excluded.first_name,
      last_name = excluded.last_name, kept_until = excluded.kept_until
    """
  case boundArrivedNames = """
    DELETE FROM arrived_names WHERE (project, provider, subject) IN (
      SELECT project, provider, subject FROM arrived_names WHERE project = ?
      ORDER BY kept_until DESC LIMIT 9223372036854775807 OFFSET ?)
    """
  case arrivedName = """
    SELECT display_name, first_name, last_name FROM arrived_names
    WHERE project = ? AND provider = ? AND subject = ? AND kept_until > ?
    """
  case deleteArrivedName = """
    DELETE FROM arrived_names WHERE project = ? AND provider = ? AND subject = ?
    """
  case sweepArrivedNames = """
    DELETE FROM arrived_names WHERE (project, provider, subject) IN (
      SELECT project, provider, subject FROM arrived_names WHERE kept_until < ?
      ORDER BY kept_until LIMIT ?)
    """
}

extension Transaction {
  /// Records a token, nonce or code as used. False if it was used before.
  package func spend(_ token: SingleUseToken, in project: ProjectID) throws -> Bool {
    let key = try existingKey(of: project)
    let values: [SQLValue] = [.integer(key), .blob(token.digest), .time(token.expiresAt)]
    guard connection.defersErrors else {
      return try connection.change(OneTimeSQL.spend, values) == 1
    }
    // The caller needn't wait for the result. If the token was used before, the statement violates
    // a constraint, and the transaction runs again without deferred errors.
    try connection.run(OneTimeSQL.spendNew, values)
    return true
  }

  /// Whether ``spend(_:in:)`` recorded the token and the record hasn't been removed.
  package func isSpent(_ token: SingleUseToken, in project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.first(OneTimeSQL.isSpent, .integer(key), .blob(token.digest)) { _ in true
    }
      ?? false
  }

  /// Records that an identity or a phone number left its account, so that pending tokens and temporary
  /// proofs from before `time` are rejected.
  package func recordDetachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID, at time: Date,
    keptUntil: Date
  ) throws {
    try connection.run(
      OneTimeSQL.recordDetachment, .integer(try existingKey(of: project)), .text(provider.text),
      .text(subject.text), .time(time), .time(keptUntil))
  }

  /// When the identity last left an account, if the record still exists.
  package func detachment(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws -> Date? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      OneTimeSQL.detachment, .integer(key), .text(provider.text), .text(subject.text)
    ) { $0.time(0) }
  }

  /// Stores a name, and replaces an earlier one of the same subject. At most `limit` names of the
  /// project are kept: those with the latest `keptUntil`.
  package func save(_ name: ArrivedName, in project: ProjectID, keptUntil: Date, limit: Int) throws
  {
    let key = try existingKey(of: project)
    try connection.run(
      OneTimeSQL.saveArrivedName, .integer(key), .text(name.provider.text),
      .text(name.subject.text), .text(name.displayName), .optional(name.firstName),
      .optional(name.lastName), .time(keptUntil))
    try connection.run(
      OneTimeSQL.boundArrivedNames, .integer(key), .integer(Int64(max(limit, 0))))
  }

  /// Nil if there is none, or it has expired.
  package func arrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID, now: Date
  ) throws -> ArrivedName? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      OneTimeSQL.arrivedName, .integer(key), .text(provider.text), .text(subject.text), .time(now)
    ) {
      ArrivedName(
        provider: provider, subject: subject, displayName: try $0.text(0),
        firstName: try $0.optionalText(1), lastName: try $0.optionalText(2))
    }
  }

  package func deleteArrivedName(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      OneTimeSQL.deleteArrivedName, .integer(key), .text(provider.text), .text(subject.text))
  }

  /// Removes at most `limit` expired records; returns how many were removed.
  package func sweepOneTimeRecords(now: Date, limit: Int) throws -> Int {
    let tokens = try connection.change(
      OneTimeSQL.sweepSpent, .time(now), .integer(Int64(max(limit, 0))))
    let detachments = try connection.change(
      OneTimeSQL.sweepDetachments, .time(now), .integer(Int64(max(limit - tokens, 0))))
    let names = try connection.change(
      OneTimeSQL.sweepArrivedNames, .time(now),
      .integer(Int64(max(limit - tokens - detachments, 0))))
    return tokens + detachments + names
  }
}

import CPostgres

/// PostgreSQL's error for a failed statement. Its message names tables and columns, but no values.
struct PostgresFailure: Error, Sendable {
  /// The SQLSTATE, five characters (PostgreSQL's manual, appendix A).
  let state: String
  let message: String
  let constraint: String?

  /// The transaction must be run again: it could not be serialized, or was the victim of a
  /// deadlock.
  var isTransient: Bool { state == "40001" || state == "40P01" }

  /// The connection is closed, or its server is shutting down or starting.
  var isConnectionLost: Bool {
    state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
  }

  /// The server is a standby: another one is the primary. It refuses writes with the first state, and
  /// serializable transactions with the second.
  ///
  /// The second state is also the error of a prepared statement that doesn't fit the tables any
  /// more. Another connection helps then, too.
  var needsAnotherConnection: Bool { state == "25006" || state == "0A000" }

  /// The primary isn't on the timeline that the transaction demands: the first statement divides by zero then.
  /// No other statement divides.
  var isOfAnotherTimeline: Bool { state == "22012" }

  /// A pooler gave the connection to another client, which prepared other statements.
  var lostPreparedStatements: Bool { state == "26000" || state == "42P05" }

  var isConflict: Bool { state.hasPrefix("23") }

  var storeError: StoreError {
    switch state.prefix(2) {
    case "23": .conflict(Self.rule(constraint ?? ""))
    case "25" where state == "25006": .readOnly
    case "53": .unavailable("PostgreSQL has no resources left: \(message)")
    case "57" where state == "57014": .unavailable("the statement took too long")
    case "22": .unavailable("PostgreSQL rejected a value: \(message)")
    case "XX" where state != "XX000":
      .damaged(
        "PostgreSQL found damage in the database (\(message)): examine it, and restore a backup")
    default: .unavailable("PostgreSQL: \(message) (\(state))")
    }
  }

  private static func rule(_ constraint: String) -> StoreError.Unique {
    switch constraint {
    case "accounts_by_uid": .uid
    case "accounts_by_email": .email
    case "accounts_by_phone_number": .phoneNumber
    case "identities_pkey", "identities_by_account": .identity
    case "projects_pkey", "projects_id_key": .project
    case "api_keys_pkey": .apiKey
    case "providers_pkey": .provider
    case "service_accounts_email_key": .serviceAccount
    // A row refers to a project that was deleted in the meantime.
    case _ where constraint.hasSuffix("_project_fkey"): .project
    default: .other
    }
  }

  /// libpq's message, in one line.
  static func line(_ text: UnsafeMutablePointer<CChar>?) -> String {
    let lines = unsafe text.map { unsafe String(cString: $0) } ?? ""
    return lines.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

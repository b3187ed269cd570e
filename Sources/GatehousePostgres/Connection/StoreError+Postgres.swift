import CPostgres
import GatehouseAccounts

/// What PostgreSQL says of a failed statement. Its message names tables and columns, but no values.
struct PostgresFailure: Error, Sendable {
  /// Five characters (the manual, appendix A).
  let state: String
  let message: String
  let constraint: String?

  /// The transaction must be run again: it could not be serialized, or was the victim of a deadlock.
  var isTransient: Bool { state == "40001" || state == "40P01" }

  var storeError: StoreError {
    switch state.prefix(2) {
    case "23": .conflict(Self.rule(constraint ?? ""))
    case "25" where state == "25006": .readOnly
    case "53": .unavailable("PostgreSQL has no resources left: \(message)")
    case "57" where state == "57014": .unavailable("the statement took too long")
    case "22": .unavailable("PostgreSQL refuses a value: \(message)")
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
    default: .other
    }
  }
}

/// A table that a copy of a database contains, and the columns by which its rows are ordered.
package struct SQLTable: Sendable {
  package let name: String
  /// The primary key. Its order is the same in every engine: numbers by value, texts and bytes byte
  /// by byte.
  package let key: [String]

  /// Whether the engine numbers new rows.
  package var isNumbered: Bool { key == ["key"] }

  /// All tables, each after the tables to which its rows refer.
  ///
  /// The list doesn't have `account_counts`, which every engine updates by itself, nor
  /// `change_counter` and `schema_migrations`, which are about the database itself.
  package static let all = [
    SQLTable(name: "projects", key: ["key"]),
    SQLTable(name: "api_keys", key: ["text"]),
    SQLTable(name: "providers", key: ["project", "id"]),
    SQLTable(name: "provider_keys", key: ["project", "provider"]),
    SQLTable(name: "provider_clients", key: ["project", "provider", "client_id"]),
    SQLTable(name: "apps", key: ["id"]),
    SQLTable(name: "android_apps", key: ["project", "package_name"]),
    SQLTable(name: "email_templates", key: ["project", "kind", "language"]),
    SQLTable(name: "code_webhooks", key: ["project"]),
    SQLTable(name: "hooks", key: ["project", "id"]),
    SQLTable(name: "sign_in_counts", key: ["project", "day", "kind", "method"]),
    SQLTable(name: "password_keys", key: ["id"]),
    SQLTable(name: "admin_keys", key: ["digest"]),
    SQLTable(name: "service_accounts", key: ["key"]),
    SQLTable(name: "service_account_keys", key: ["account", "id"]),
    SQLTable(name: "access_tokens", key: ["digest"]),
    SQLTable(name: "signing_keys", key: ["ring", "key_id"]),
    SQLTable(name: "accounts", key: ["key"]),
    SQLTable(name: "account_terms", key: ["account", "term"]),
    SQLTable(name: "identities", key: ["project", "provider", "subject"]),
    SQLTable(name: "passkeys", key: ["project", "credential_id"]),
    SQLTable(name: "consents", key: ["key"]),
    SQLTable(name: "provider_tokens", key: ["key"]),
    SQLTable(name: "provider_notifications", key: ["project", "provider"]),
    SQLTable(name: "subject_transfers", key: ["project", "provider", "old_subject"]),
    SQLTable(name: "sessions", key: ["key"]),
    SQLTable(name: "spent_tokens", key: ["project", "digest"]),
    SQLTable(name: "detachments", key: ["project", "provider", "subject"]),
    SQLTable(name: "arrived_names", key: ["project", "provider", "subject"]),
    SQLTable(name: "attempts", key: ["project", "kind", "owner"]),
    SQLTable(name: "action_codes", key: ["key"]),
    SQLTable(name: "phone_verifications", key: ["key"]),
    SQLTable(name: "outbox", key: ["key"]),
    SQLTable(name: "waiting_events", key: ["key"]),
    SQLTable(name: "events", key: ["position"]),
    SQLTable(name: "event_chains", key: ["project"]),
    SQLTable(name: "event_checkpoints", key: ["project", "number"]),
    // Last, because no server opens a database without these values.
    SQLTable(name: "server_values", key: ["name"]),
  ]

  package enum Kind: Sendable {
    case integer, text, blob
  }

  package struct Column: Sendable {
    package let name: String
    package let kind: Kind

    package init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }
}

/// One migration: a step from an empty file to the current tables.
///
/// A step is never changed after its release. Changes are added as a new step.
struct Migration: Sendable {
  let number: Int64
  let name: String
  let sql: String
  /// Detects a released step that was changed. It needs no cryptographic strength. FNV-1a, 64 bits.
  let checksum: Int64

  init(number: Int64, name: String, _ bytes: [UInt8]) {
    self.number = number
    self.name = name
    sql = String(decoding: bytes, as: UTF8.self)
    // Computed once: a new database compares it after each step.
    checksum = Int64(
      bitPattern: bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      })
  }

  /// All steps, in order. Each is a file in `Migrations`, embedded in the program. Its name in
  /// Swift is the file's name with `_` for each character that Swift doesn't allow.
  ///
  /// There is no number 3, and no release had one.
  static let all = [
    Migration(number: 1, name: "initial", PackageResources.sqlite_0001_initial_sql),
    Migration(
      number: 2, name: "service-accounts", PackageResources.sqlite_0002_service_accounts_sql),
    Migration(number: 4, name: "action-codes", PackageResources.sqlite_0004_action_codes_sql),
    Migration(number: 5, name: "attempts", PackageResources.sqlite_0005_attempts_sql),
    Migration(number: 6, name: "imports", PackageResources.sqlite_0006_imports_sql),
    Migration(number: 7, name: "federation", PackageResources.sqlite_0007_federation_sql),
    Migration(number: 8, name: "consents", PackageResources.sqlite_0008_consents_sql),
    Migration(number: 9, name: "apps", PackageResources.sqlite_0009_apps_sql),
    Migration(
      number: 10, name: "openid-settings", PackageResources.sqlite_0010_openid_settings_sql),
    Migration(number: 11, name: "app-links", PackageResources.sqlite_0011_app_links_sql),
    Migration(number: 12, name: "linking", PackageResources.sqlite_0012_linking_sql),
    Migration(
      number: 13, name: "identities-by-email", PackageResources.sqlite_0013_identities_by_email_sql),
    Migration(
      number: 14, name: "client-authentication",
      PackageResources.sqlite_0014_client_authentication_sql),
    Migration(number: 15, name: "announced-keys", PackageResources.sqlite_0015_announced_keys_sql),
    Migration(number: 16, name: "arrived-names", PackageResources.sqlite_0016_arrived_names_sql),
    Migration(
      number: 17, name: "provider-clients", PackageResources.sqlite_0017_provider_clients_sql),
    Migration(number: 18, name: "phone-numbers", PackageResources.sqlite_0018_phone_numbers_sql),
    Migration(number: 19, name: "rate-limits", PackageResources.sqlite_0019_rate_limits_sql),
    Migration(number: 20, name: "outbox", PackageResources.sqlite_0020_outbox_sql),
    Migration(
      number: 21, name: "provider-events", PackageResources.sqlite_0021_provider_events_sql),
    Migration(
      number: 22, name: "token-lifecycle", PackageResources.sqlite_0022_token_lifecycle_sql),
    Migration(
      number: 23, name: "email-templates", PackageResources.sqlite_0023_email_templates_sql),
    Migration(number: 24, name: "typed-codes", PackageResources.sqlite_0024_typed_codes_sql),
    Migration(
      number: 25, name: "account-language", PackageResources.sqlite_0025_account_language_sql),
    Migration(number: 26, name: "events", PackageResources.sqlite_0026_events_sql),
    Migration(
      number: 27, name: "blocking-functions", PackageResources.sqlite_0027_blocking_functions_sql),
    Migration(number: 28, name: "initial-email", PackageResources.sqlite_0028_initial_email_sql),
    Migration(number: 29, name: "discovery", PackageResources.sqlite_0029_discovery_sql),
  ]
}

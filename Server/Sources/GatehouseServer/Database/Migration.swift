/// One migration: a step from an empty database to the current tables.
///
/// A step is never changed after its release. Changes are added as a new step. Each step is a file in
/// `Migrations`, embedded in the program. Its name in Swift is the file's name with `_` for each
/// character that Swift doesn't allow.
package struct Migration: Sendable {
  package let number: Int64
  package let name: String
  let sql: String
  /// Whether servers of the previous version can continue to run: the step only adds what they don't
  /// use. For upgrades without downtime, a release first adds, and a later release removes what no
  /// version uses any more. For PostgreSQL alone: two servers share no SQLite file.
  let isExpansion: Bool
  /// Detects a released step that was changed. It needs no cryptographic strength. FNV-1a, 64 bits.
  package let checksum: Int64

  package init(
    _ number: Int64, _ name: String, isExpansion: Bool = true, _ bytes: [UInt8]
  ) {
    self.number = number
    self.name = name
    self.isExpansion = isExpansion
    sql = String(decoding: bytes, as: UTF8.self)
    // Computed once: a new database compares it after each step.
    checksum = Int64(
      bitPattern: bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      })
  }

  // All steps, in order. Only tests change a list, to have the steps of a later version.
  @TaskLocal package static var ofSQLite = [
    Migration(1, "initial", PackageResources.sqlite_0001_initial_sql),
    Migration(2, "passkeys", PackageResources.sqlite_0002_passkeys_sql),
  ]
  @TaskLocal package static var ofPostgres = [
    Migration(1, "initial", PackageResources.postgres_0001_initial_sql),
    Migration(2, "passkeys", PackageResources.postgres_0002_passkeys_sql),
  ]
}

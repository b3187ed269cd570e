/// One migration: a step from an empty database to the current tables.
///
/// A step is never changed after its release. Changes are added as a new step.
struct PostgresMigration: Sendable {
  let number: Int64
  let name: String
  let sql: String
  /// Whether servers of the previous version can continue to run: the step only adds what they
  /// don't use. For upgrades without downtime, a release first adds, and a later release removes
  /// what no version uses any more.
  let isExpansion: Bool

  init(number: Int64, name: String, isExpansion: Bool, _ bytes: [UInt8]) {
    self.number = number
    self.name = name
    self.isExpansion = isExpansion
    sql = String(decoding: bytes, as: UTF8.self)
  }

  /// All steps, in order. Each is a file in `Migrations`, embedded in the program.
  ///
  /// Only tests change the list, to have the steps of a later version.
  @TaskLocal static var all = [
    PostgresMigration(
      number: 1, name: "initial", isExpansion: true, PackageResources.postgres_0001_initial_sql)
  ]

  /// Detects a released step that was changed. FNV-1a, 64 bits: cryptographic strength is not
  /// needed.
  var checksum: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int64(bitPattern: hash)
  }
}

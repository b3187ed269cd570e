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
  /// Only tests change the list, to have the steps of a later version.
  @TaskLocal static var all = [
    Migration(number: 1, name: "initial", PackageResources.sqlite_0001_initial_sql)
  ]
}

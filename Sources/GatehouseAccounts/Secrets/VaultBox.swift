/// Encrypts providers' tokens and codes under a key of their own, and other secrets under the master
/// key: a copy of the database with its master key then reveals no token.
package struct VaultBox: SecretSealing {
  /// The tables with providers' tokens and codes.
  private static let tables = ["provider_tokens", "outbox"]

  private let master: SecretBox
  private let vault: SecretBox
  private let isLeaving: Bool

  /// - Parameter isLeaving: Encrypts under the master key again, and still decrypts what is under the
  ///   vault's own.
  package init(master: SecretBox, vault: SecretBox, isLeaving: Bool = false) {
    self.master = master
    self.vault = vault
    self.isLeaving = isLeaving
  }

  package func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    try (Self.isInVault(place) && !isLeaving ? vault : master).seal(plaintext, at: place)
  }

  /// Values that were stored before the vault had a key of its own are under the master key.
  package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    guard Self.isInVault(place) else { return try master.open(sealed, at: place) }
    do {
      return try vault.open(sealed, at: place)
    } catch {
      return try master.open(sealed, at: place)
    }
  }

  private static func isInVault(_ place: SealedPlace) -> Bool {
    tables.contains { $0.utf8.elementsEqual(place.table.utf8) }
  }
}

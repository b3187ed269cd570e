/// Encrypts providers' tokens and codes under the vault's own key, and other secrets under the master
/// key. A copy of the database together with the master key then reveals no provider's token.
package struct VaultBox: SecretSealing {
  private let master: SecretBox
  private let vault: SecretBox
  private let isLeaving: Bool

  /// - Parameter isLeaving: Whether the vault's own key is being given up. New values are then encrypted
  ///   under the master key, and values under the vault's key can still be decrypted.
  package init(master: SecretBox, vault: SecretBox, isLeaving: Bool = false) {
    self.master = master
    self.vault = vault
    self.isLeaving = isLeaving
  }

  package func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    try (Self.isInVault(place) && !isLeaving ? vault : master).seal(plaintext, at: place)
  }

  /// Values that were stored before the vault had a key of its own are encrypted under the master key.
  package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    guard Self.isInVault(place) else { return try master.open(sealed, at: place) }
    do {
      return try vault.open(sealed, at: place)
    } catch {
      return try master.open(sealed, at: place)
    }
  }

  private static func isInVault(_ place: SealedPlace) -> Bool {
    place.column.renewal == .withVault
  }
}

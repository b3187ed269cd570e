/// Encrypts stored secrets, so that a copy of the database alone reveals none.
package protocol SecretSealing: Sendable {
  /// Encrypts and authenticates `plaintext`, bound to the place where it is stored.
  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8]

  /// - Throws: ``StoreError/damaged(_:)`` if the value was encrypted for another place or under a key
  ///   that isn't held, or if it was changed.
  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8]
}

/// The place where an encrypted value is stored. A ciphertext that is moved to another row or
/// column can't be decrypted.
package struct SealedPlace: Hashable, Sendable {
  package let column: SealedColumn
  /// Empty if the row belongs to no project.
  package let project: String
  package let row: String

  package init(_ column: SealedColumn, project: String, row: String) {
    self.column = column
    self.project = project
    self.row = row
  }
}

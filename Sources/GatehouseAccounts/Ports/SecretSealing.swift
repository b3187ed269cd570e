/// Encrypts what is stored, so that a copy of the database alone tells no secret.
package protocol SecretSealing: Sendable {
  /// Encrypts and authenticates `plaintext`, bound to the place it is stored in.
  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8]

  /// - Throws: ``StoreError/damaged(_:)`` if it was sealed elsewhere, changed, or sealed under a
  ///   key that isn't at hand.
  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8]
}

/// Where a sealed value stands: a ciphertext moved to another row or column doesn't open.
package struct SealedPlace: Hashable, Sendable {
  package let table: String
  package let project: String
  package let row: String
  package let column: String

  package init(table: String, project: String, row: String, column: String) {
    self.table = table
    self.project = project
    self.row = row
    self.column = column
  }
}

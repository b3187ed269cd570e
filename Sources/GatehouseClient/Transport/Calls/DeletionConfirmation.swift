public import struct Foundation.Date

/// The server's confirmation of a deletion.
public struct DeletionConfirmation: Sendable, Hashable {
  /// A JWT, signed by the server, that states what was erased and when, without personal data. Nil
  /// from a server without receipts, or if the response was lost.
  public var receipt: String?
  /// When the account is erased. Until then the user can keep it by signing in again. Nil if the
  /// account is already erased.
  public var erasesAt: Date?

  public init(receipt: String? = nil, erasesAt: Date? = nil) {
    self.receipt = receipt
    self.erasesAt = erasesAt
  }
}

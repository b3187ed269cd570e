public import struct Foundation.Date

/// What the server says of a deletion.
public struct DeletionConfirmation: Sendable, Hashable {
  /// A JWT signed by the server that states what was erased, and when; without personal data. Nil
  /// from a server without receipts.
  public var receipt: String?
  /// Until then the user can keep the account by signing in again. Nil if the account is erased.
  public var erasesAt: Date?

  public init(receipt: String? = nil, erasesAt: Date? = nil) {
    self.receipt = receipt
    self.erasesAt = erasesAt
  }
}

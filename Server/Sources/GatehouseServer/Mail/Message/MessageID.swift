/// The identifier of a message (RFC 5322 §3.6.4). A message that is sent again keeps it, so that the
/// recipient's server can recognise a duplicate.
package struct MessageID: Sendable {
  /// Without angle brackets.
  package let text: String

  /// - Parameters:
  ///   - unique: 1 to 64 letters, digits and hyphens.
  ///   - domain: The domain of the sender's address.
  /// - Returns: nil for other characters.
  package init?(unique: String, domain: String) {
    guard (1...64).contains(unique.utf8.count), domain.utf8.count <= 253,
      unique.utf8.allSatisfy({ Mailbox.isAtom($0) && $0 != UInt8(ascii: ".") }),
      Mailbox.isDomain(Array(domain.utf8))
    else { return nil }
    text = "\(unique)@\(domain)"
  }
}

package import GatehouseProtocol

/// An address for mail, with an optional display name (RFC 5322 §3.4, `mailbox`).
///
/// Only a recipient's local part may have letters beyond ASCII. Mail to it needs the SMTPUTF8
/// extension (RFC 6531), which many servers don't have. A domain is written in its `xn--` form.
package struct Mailbox: Sendable {
  /// As it is written in a header and in a command of SMTP. A local part that isn't a dot-atom, such
  /// as `a..b`, has quotes.
  package let address: String
  /// One line, or nil.
  package let name: String?

  /// Whether the local part has letters beyond ASCII.
  package var needsSMTPUTF8: Bool { address.utf8.contains { $0 >= 0x80 } }

  /// In bytes, RFC 5321 §4.5.3.1.3 without the angle brackets.
  static let maximumAddressBytes = 254
  /// In Unicode scalars. Longer names are cut.
  static let maximumNameLength = 100

  /// - Parameters:
  ///   - address: Local part and domain, without quotes, comments or angle brackets.
  ///   - name: Control characters are replaced by spaces: see ``HeaderText``.
  /// - Throws: ``MailboxFault`` for the address. A name is never refused.
  package init(address: String, name: String? = nil) throws(MailboxFault) {
    guard address.utf8.count <= Self.maximumAddressBytes else { throw .tooLong }
    guard let at = address.utf8.lastIndex(of: UInt8(ascii: "@")) else { throw .form }
    let local = address.utf8[..<at]
    let domain = address.utf8[address.utf8.index(after: at)...]
    guard local.allSatisfy({ $0 < 0x80 }) else { throw .localPartNotASCII }
    guard domain.allSatisfy({ $0 < 0x80 }) else { throw .domainNotASCII }
    guard !local.isEmpty, local.allSatisfy(Self.isAtom), Self.isDomain(Array(domain)) else {
      throw .form
    }
    let isDotAtom = local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty }
    let parts = (String(decoding: local, as: UTF8.self), String(decoding: domain, as: UTF8.self))
    self.address = isDotAtom ? "\(parts.0)@\(parts.1)" : "\"\(parts.0)\"@\(parts.1)"
    let line = HeaderText.line(name ?? "", maximumLength: Self.maximumNameLength)
    self.name = line.isEmpty ? nil : line
  }

  /// The address of a user.
  ///
  /// - Throws: ``MailboxFault/tooLong``, and ``MailboxFault/form`` for an address beyond ASCII with a
  ///   dot at either end of its local part or two dots in a row.
  package init(recipient: EmailAddress) throws(MailboxFault) {
    let address = recipient.text
    guard address.utf8.contains(where: { $0 >= 0x80 }) else {
      self = try Mailbox(address: address)
      return
    }
    guard address.utf8.count <= Self.maximumAddressBytes else { throw .tooLong }
    let local = address.utf8.prefix { $0 != UInt8(ascii: "@") }
    let atoms = local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard atoms.allSatisfy({ !$0.isEmpty }) else { throw .form }
    self.address = address
    name = nil
  }

  /// RFC 5322 §3.2.3, `atext` and the dot.
  static func isAtom(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"(),:;<>[\\]@".utf8.contains(byte)
  }

  /// Labels of letters, digits and hyphens (RFC 5321 §4.1.2, `Domain`). An address literal such as
  /// `[192.0.2.1]` is refused: no user's mailbox has one.
  static func isDomain(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      (1...63).contains($0.count) && $0.first != UInt8(ascii: "-")
        && $0.last != UInt8(ascii: "-")
        && $0.allSatisfy { byte in
          let folded = byte | 0x20
          return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(folded)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-")
        }
    }
  }
}

/// Why no mail can be sent to or from an address.
package enum MailboxFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It isn't a local part, an `@` and a domain, or it contains a space or a control character.
  case form
  case tooLong
  /// The part before the `@` isn't ASCII.
  case localPartNotASCII
  /// The part after the `@` isn't ASCII.
  case domainNotASCII

  package var description: String {
    switch self {
    case .form: "the email address is malformed"
    case .tooLong: "the email address is longer than \(Mailbox.maximumAddressBytes) bytes"
    case .localPartNotASCII:
      """
      the part of the email address before the @ has characters beyond ASCII, which only a \
      recipient's may have
      """
    case .domainNotASCII:
      "the domain of the email address has characters beyond ASCII: write it in its xn-- form"
    }
  }
}

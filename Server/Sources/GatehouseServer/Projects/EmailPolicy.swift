import GatehouseProtocol

/// How a project's emails are sent: in which language, and with which sender. The server's settings
/// apply in place of an empty sender or reply address.
package struct EmailPolicy: Hashable, Sendable, Codable {
  /// A BCP 47 tag. This language is used if neither the project nor the server has a text in the
  /// request's language or the account's, or if neither language is known. Empty: English.
  package var language = ""
  /// The name of the sender. Empty: the name in `mail.from`. If that has none, the project's display name,
  /// or else its id.
  package var senderName = ""
  /// The part of the sender's address before the `@`. The domain is always that of `mail.from`: its
  /// DNS records say which servers may send mail.
  package var senderLocalPart = ""
  /// The address to which replies go, in ASCII.
  package var replyTo = ""

  package init() {}

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    language = try values.value(.language, or: language)
    senderName = try values.value(.senderName, or: senderName)
    senderLocalPart = try values.value(.senderLocalPart, or: senderLocalPart)
    replyTo = try values.value(.replyTo, or: replyTo)
  }

  /// A message about the first value that can't be used, with its name; nil if there is none.
  var fault: String? {
    if !Self.isLanguage(language) {
      return "language: “\(language)” is not a language tag, such as de"
    }
    if senderName.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      || senderName.utf8.count > 200
    {
      return "senderName: a name is one line of at most 200 bytes"
    }
    if !senderLocalPart.isEmpty, !Self.isLocalPart(senderLocalPart) {
      return "senderLocalPart: “\(senderLocalPart)” is not the part of an address before the @"
    }
    if !replyTo.isEmpty, EmailAddress(replyTo) == nil || !replyTo.utf8.allSatisfy({ $0 < 0x80 }) {
      return "replyTo: “\(replyTo)” is not an email address in ASCII"
    }
    return nil
  }

  /// Whether `tag` can be a project's default language: a language tag, or an empty text for none.
  package static func isLanguage(_ tag: String) -> Bool {
    tag.isEmpty
      || tag.utf8.count <= 35
        && tag.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
          (1...8).contains($0.utf8.count)
            && $0.utf8.allSatisfy { byte in
              (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
        }
  }

  /// Whether the text is a dot-atom (RFC 5322 §3.2.3) of letters, digits, `-`, `_` and `+`, of at most
  /// 64 bytes.
  private static func isLocalPart(_ text: String) -> Bool {
    text.utf8.count <= 64
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
              || "-_+".utf8.contains(byte)
          }
      }
  }
}

import GatehouseProtocol

/// A language tag (RFC 5646, BCP 47), with A–Z in lower case: `vi`, `pt-br`.
package struct MailLanguage: ByteExact {
  package let text: String

  package static let english = MailLanguage(known: "en")
  package static let vietnamese = MailLanguage(known: "vi")
  package static let german = MailLanguage(known: "de")

  /// Reads a tag, and the form with `_` that Apple's locales have.
  ///
  /// - Returns: nil unless it is a language of 2 to 8 letters, followed by subtags of 1 to 8 letters
  ///   and digits, with at most 35 bytes (RFC 5646 §4.4.1).
  package init?(_ tag: String) {
    let folded = tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.asciiLowercased }
    let parts = folded.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard folded.count <= 35, let language = parts.first, (2...8).contains(language.count),
      language.allSatisfy(letters.contains),
      parts.allSatisfy({
        (1...8).contains($0.count)
          && $0.allSatisfy { letters.contains($0) || digits.contains($0) }
      })
    else { return nil }
    text = String(decoding: folded, as: UTF8.self)
  }

  private init(known: StaticString) { text = "\(known)" }

  /// The tag and those that remain when subtags are removed from its end: `zh-hant-tw`, `zh-hant`,
  /// `zh` (RFC 4647 §3.4, lookup).
  package var lookup: [MailLanguage] {
    let parts = text.split(separator: "-")
    return (1...max(1, parts.count)).reversed().compactMap {
      MailLanguage(parts.prefix($0).joined(separator: "-"))
    }
  }
}

import GatehouseProtocol
import HTTPTypes

/// A language in which pages are written.
enum PageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  case vietnamese = "vi"

  /// The first supported language of `hl`, which the app sends, and of the browser's languages.
  /// English if none is supported.
  init(_ call: Call) { self.init(call.head.headerFields, query: call.query["hl"]) }

  init(_ headers: HTTPFields, query: String?) {
    let accepted = headers[.acceptLanguage] ?? ""
    let tags =
      [query ?? ""]
      + accepted.utf8.prefix(1024).split(separator: 0x2C)
      .prefix(20).map { String(decoding: $0, as: UTF8.self) }
    self = tags.lazy.compactMap(Self.init(tag:)).first ?? .english
  }

  /// Reads only the primary language of an RFC 5646 tag; parameters such as `;q=0.8` may follow.
  private init?(tag: String) {
    let primary = tag.drop { $0 == " " }.prefix { $0 != "-" && $0 != "_" && $0 != ";" }
    self.init(rawValue: primary.lowercased())
  }
}

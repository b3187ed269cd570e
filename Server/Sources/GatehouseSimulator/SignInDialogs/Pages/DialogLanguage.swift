import HTTPTypes

/// A language that the pages are written in.
enum DialogLanguage: String, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  case vietnamese = "vi"

  /// The first supported language in the client's list (`ui_locales`, a list in order of
  /// preference, OpenID Connect Core §3.1.2.1; `hl` at Google, `locale` at Apple and Facebook),
  /// else in the browser's. English if there is none.
  init(_ form: RequestForm, _ headers: HTTPFields) {
    let asked = ["ui_locales", "hl", "locale"].compactMap { form[$0] }
      .flatMap { $0.prefix(256).split(separator: " ") }
    let accepted = (headers[.acceptLanguage] ?? "").prefix(1_024).split(separator: ",")
    let tags = (asked + accepted).prefix(32)
    self = tags.lazy.compactMap { Self(tag: $0) }.first ?? .english
  }

  /// - Parameter tag: A tag of RFC 5646. Only the primary language is used; parameters such as
  ///   `;q=0.8` may follow.
  private init?(tag: Substring) {
    let primary = tag.drop { $0 == " " }.prefix { $0 != "-" && $0 != "_" && $0 != ";" }
    self.init(rawValue: String(primary).foldingASCII())
  }
}

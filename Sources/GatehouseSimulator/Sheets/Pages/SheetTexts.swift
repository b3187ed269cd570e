/// The pages' words in one language. Plain text, not HTML.
struct SheetTexts: Sendable {
  let note: @Sendable (_ provider: String) -> String
  let chooseTitle: @Sendable (_ provider: String) -> String
  let toGoOn: @Sendable (_ client: String) -> String
  let usedLast: String
  let another: String
  let anotherTitle: String
  let anotherBody: String
  let firstName: String
  let lastName: String
  let email: String
  let emailRefused: String
  let full: String
  let consentTitle: @Sendable (_ client: String, _ provider: String) -> String
  let signedInAs: String
  let otherAccount: String
  let nameLegend: String
  let nameBody: String
  let emailLegend: String
  let share: String
  let hide: String
  let hideBody: @Sendable (_ relay: String) -> String
  let againBody: @Sendable (_ client: String) -> String
  let clientGets: @Sendable (_ client: String) -> String
  let scope: @Sendable (Scope) -> String
  let untickBody: String
  let goOn: String
  let cancel: String
  let back: String
  let endedTitle: String
  let endedBody: String

  static func of(_ language: SheetLanguage) -> SheetTexts {
    switch language {
    case .english: .english
    case .german: .german
    case .vietnamese: .vietnamese
    }
  }
}

extension Provider {
  /// The name in running text.
  var displayName: String {
    switch self {
    case .apple: "Apple"
    case .google: "Google"
    case .facebook: "Facebook"
    case .oidc, .issuer: "OpenID Connect"
    }
  }
}

/// The texts of the pages in one language. Plain text, not HTML.
struct DialogTexts: Sendable {
  let language: DialogLanguage
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
  let identityScope: String
  let emailScope: String
  let profileScope: String
  let offlineScope: String
  let untickBody: String
  let goOn: String
  let cancel: String
  let back: String
  let endedTitle: String
  let endedBody: String

  /// The description of what a client will be able to do.
  func scope(_ meaning: ScopeMeaning) -> String {
    switch meaning {
    case .identity: identityScope
    case .email: emailScope
    case .profile: profileScope
    case .offlineAccess: offlineScope
    case .other(let english, let german, let vietnamese):
      switch language {
      case .english: english
      case .german: german
      case .vietnamese: vietnamese
      }
    }
  }

  static func of(_ language: DialogLanguage) -> DialogTexts {
    switch language {
    case .english: .english
    case .german: .german
    case .vietnamese: .vietnamese
    }
  }
}

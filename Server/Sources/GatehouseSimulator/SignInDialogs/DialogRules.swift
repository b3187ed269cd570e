/// What a kind of provider asks a person. By default it shows its consent page once, and again for
/// new scopes.
protocol DialogRules: Sendable {
  /// The scopes that an authorization request asks for.
  func askedScopes(_ form: RequestForm) -> Set<Scope>

  /// The values of its `prompt`; empty if the provider has no such parameter.
  func prompt(_ form: RequestForm) -> Set<String>

  /// Whether an account can be chosen for a request.
  func offers(_ person: Person, for form: RequestForm) -> Bool

  /// What the consent page offers a person.
  ///
  /// - Parameter standing: The person's consent, if there is one.
  func offer(
    _ request: DialogRequest, to person: Person, standing: Consent?, in state: SimulatorState
  ) -> DialogOffer

  /// Scopes that stay declined although they are requested again.
  func declined(_ request: DialogRequest, _ offer: DialogOffer) -> [Scope]

  /// The description of a scope on the page.
  func meaning(of scope: Scope) -> ScopeMeaning
}

/// What a client can do with a scope, as the pages describe it.
enum ScopeMeaning: Sendable {
  case identity
  case email
  case profile
  case offlineAccess
  /// Anything else, in the languages of the pages.
  case other(english: String, german: String, vietnamese: String)
}

extension DialogRules where Self: GrantRules {
  func askedScopes(_ form: RequestForm) -> Set<Scope> { knownScopes(form["scope"]) }

  func prompt(_ form: RequestForm) -> Set<String> { form.words("prompt") }

  func offers(_ person: Person, for form: RequestForm) -> Bool { true }

  func offer(
    _ request: DialogRequest, to person: Person, standing: Consent?, in state: SimulatorState
  ) -> DialogOffer {
    let new = request.scopes.subtracting(standing?.scopes ?? [])
    let isAsked = standing == nil || !new.isEmpty || request.prompt.contains("consent")
    return DialogOffer(
      person: person, asksForConsent: isAsked, isFirst: standing == nil,
      scopes: sorted(request.scopes.subtracting([.openid])))
  }

  func declined(_ request: DialogRequest, _ offer: DialogOffer) -> [Scope] { [] }

  func meaning(of scope: Scope) -> ScopeMeaning {
    switch scope {
    case .openid: .identity
    case .email: .email
    case .offlineAccess: .offlineAccess
    default: .profile
    }
  }
}

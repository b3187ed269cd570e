/// What a kind of provider asks a person. The defaults are those of a provider that shows its consent
/// page once, and again for new scopes.
protocol DialogRules: Sendable {
  /// What an authorization request asks for.
  func askedScopes(_ form: RequestForm) -> Set<Scope>

  /// The words of its `prompt`; none where the provider has no such parameter.
  func prompt(_ form: RequestForm) -> Set<String>

  /// Whether an account can be chosen for a request.
  func offers(_ person: Person, for form: RequestForm) -> Bool

  /// What the consent page offers a person.
  ///
  /// - Parameter standing: What the person agreed to before.
  func offer(
    _ request: DialogRequest, to person: Person, standing: Consent?, in state: SimulatorState
  ) -> DialogOffer

  /// What stays declined although it is asked for.
  func declined(_ request: DialogRequest, _ offer: DialogOffer) -> [Scope]

  /// What a scope means to a person.
  func meaning(of scope: Scope) -> ScopeMeaning
}

/// What a client can do with a scope, as the pages say it.
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

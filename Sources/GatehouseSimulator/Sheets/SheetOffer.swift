/// What a page offers one person to choose, beyond going on.
struct SheetOffer: Sendable {
  let person: Person
  /// Whether the person is asked at all. Where not, choosing the account is enough.
  let asksForConsent: Bool
  /// Whether the person never agreed to anything with this client, or took it back.
  let isFirst: Bool
  /// What the client gets to know, or to do, from now on.
  var scopes: [Scope] = []
  /// Apple's, the first time: a name that the person may change.
  var offersName = false
  /// Apple's, the first time: the address, or a relay address.
  var relayAddress: String?
  /// Facebook's: may be unticked.
  var declinable: [Scope] = []
}

extension SimulatorState {
  func offer(_ request: SheetRequest, to person: Person) -> SheetOffer {
    let key = consentKey(request.provider, client: request.clientID, person: person.id)
    let standing = try? standingConsent(key)
    let asked = request.scopes
    let new = asked.subtracting(standing?.scopes ?? [])
    switch request.provider {
    case .apple:
      // Apple asks for a click each time, and for name and address once.
      var offer = SheetOffer(
        person: person, asksForConsent: true, isFirst: standing == nil)
      offer.offersName = standing == nil && asked.contains(.name)
      if standing == nil, asked.contains(.email) {
        let team = clients.appleTeam(of: request.clientID)
        offer.relayAddress = AppleIdentity(personID: person.id, teamID: team).relayAddress
      }
      return offer
    case .google, .oidc, .issuer:
      let isAsked = standing == nil || !new.isEmpty || request.prompt.contains("consent")
      return SheetOffer(
        person: person, asksForConsent: isAsked, isFirst: standing == nil,
        scopes: Self.sorted(asked.subtracting([.openid])))
    case .facebook:
      // A permission that was declined is asked for again only by `auth_type=rerequest`.
      let asksAnew = request.form["auth_type"] == "rerequest"
      let offered = standing == nil || asksAnew ? asked : asked.subtracting(new)
      return SheetOffer(
        person: person, asksForConsent: true, isFirst: standing == nil,
        scopes: Self.sorted(offered.subtracting([.openid])),
        declinable: standing == nil || asksAnew ? Self.sorted(new.intersection([.email])) : [])
    }
  }

  /// What stays declined although it is asked for: Facebook's permissions that the person unticked
  /// before.
  func declined(_ request: SheetRequest, _ offer: SheetOffer) -> [Scope] {
    guard request.provider == .facebook else { return [] }
    return Self.sorted(request.scopes.subtracting(offer.scopes).subtracting([.openid]))
  }

  private static func sorted(_ scopes: Set<Scope>) -> [Scope] {
    Scope.allCases.filter(scopes.contains)
  }
}

/// The choices that a page offers one person, besides to continue.
struct DialogOffer: Sendable {
  let person: Person
  /// Whether the person must consent. If not, choosing the account is enough.
  let asksForConsent: Bool
  /// Whether the person has no consent for this client: never given, or withdrawn.
  let isFirst: Bool
  /// What the client gets to know, or to do, from now on.
  var scopes: [Scope] = []
  /// Whether the name is shared, and may be changed before.
  var offersName = false
  /// Where the person may hide the address: what the client gets in its place.
  var relayAddress: String?
  /// Those that may be unticked.
  var declinable: [Scope] = []
}

extension SimulatorState {
  func offer(_ request: DialogRequest, to person: Person) -> DialogOffer {
    let key = consentKey(request.provider, client: request.clientID, person: person.id)
    return request.provider.kind.offer(
      request, to: person, standing: try? standingConsent(key), in: self)
  }
}

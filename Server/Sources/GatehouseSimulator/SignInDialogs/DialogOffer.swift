/// What a page offers one person, besides continuing.
struct DialogOffer: Sendable {
  let person: Person
  /// Whether the person must consent. If not, choosing the account is enough.
  let asksForConsent: Bool
  /// Whether the person has no consent for this client: never given, or withdrawn.
  let isFirst: Bool
  /// The scopes that the client gets.
  var scopes: [Scope] = []
  /// Whether the name is shared. The person may edit it first.
  var offersName = false
  /// The relay address that the client gets if the person hides the address; nil if hiding isn't
  /// offered.
  var relayAddress: String?
  /// The scopes that the person may untick.
  var declinable: [Scope] = []
}

extension SimulatorState {
  func offer(_ request: DialogRequest, to person: Person) -> DialogOffer {
    let key = consentKey(request.provider, client: request.clientID, person: person.id)
    return request.provider.kind.offer(
      request, to: person, standing: try? standingConsent(key), in: self)
  }
}

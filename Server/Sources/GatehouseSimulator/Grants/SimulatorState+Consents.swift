import Foundation
import HTTPTypes

extension SimulatorState {
  /// The key of a person's consent for a client: see ``GrantRules/consentHolder(of:in:)``.
  func consentKey(_ provider: Provider, client: String, person: String) -> ConsentKey {
    let holder = provider.kind.consentHolder(of: client, in: self)
    return ConsentKey(provider, client: holder, person: person)
  }

  /// A person's consents that aren't withdrawn, in the order in which they were given.
  func standingConsents(of person: String) -> [(key: ConsentKey, consent: Consent)] {
    let person = Identifier(person)
    return standing(consents.keys.filter { $0.person == person })
  }

  /// All consents that aren't withdrawn, in the order in which they were given.
  var standingConsents: [(key: ConsentKey, consent: Consent)] { standing(Array(consents.keys)) }

  private func standing(_ keys: [ConsentKey]) -> [(key: ConsentKey, consent: Consent)] {
    keys.compactMap { key in consents[key].map { (key, $0) } }
      .filter { !$0.1.isWithdrawn }
      .sorted { $0.1.id < $1.1.id }
  }

  /// Records the consent of the person of `key`.
  ///
  /// - Returns: The consent, and whether it is new: there was none, or it had been withdrawn. An
  ///   existing consent keeps its `hidesEmail`, and gains scopes.
  mutating func giveConsent(
    _ key: ConsentKey, scopes: Set<Scope>, hidesEmail: Bool, now: Date
  ) -> (consent: Consent, isNew: Bool) {
    if var standing = consents[key], !standing.isWithdrawn {
      standing.scopes.formUnion(scopes)
      consents.set(standing, for: key)
      return (standing, false)
    }
    lastConsentID += 1
    let consent = Consent(
      id: lastConsentID, scopes: scopes, hidesEmail: hidesEmail, givenAt: now)
    consents.set(consent, for: key)
    return (consent, true)
  }

  /// Ends a consent, and with it every code and token that was issued under it.
  ///
  /// - Throws: `consent_not_found` if the person never gave it, or has withdrawn it.
  mutating func withdrawConsent(_ key: ConsentKey) throws(SimulatorError) {
    var consent = try standingConsent(key)
    consent.isWithdrawn = true
    consents.set(consent, for: key)
  }

  /// - Throws: `consent_not_found`.
  func standingConsent(_ key: ConsentKey) throws(SimulatorError) -> Consent {
    guard let consent = consents[key], !consent.isWithdrawn else {
      throw SimulatorError(
        .notFound, "consent_not_found",
        "This person has no consent for this client at this provider.")
    }
    return consent
  }

  /// Deletes a person. The consents end as if withdrawn: a person created later with the same id
  /// has none.
  ///
  /// - Returns: The consents that ended.
  /// - Throws: `person_not_found`.
  mutating func deletePerson(_ id: String) throws(SimulatorError) -> [ConsentKey] {
    try persons.remove(id)
    let ended = standingConsents(of: id).map(\.key)
    for key in ended { try withdrawConsent(key) }
    return ended
  }

  /// The consent and the person of `grant`, if both still exist.
  func standingConsent(of grant: Grant) -> (consent: Consent, person: Person)? {
    guard let consent = consents[grant.consentKey], consent.id == grant.consentID,
      !consent.isWithdrawn, let person = persons[grant.personID]
    else { return nil }
    return (consent, person)
  }
}

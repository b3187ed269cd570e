import HTTPTypes

extension SimulatorState {
  /// Notes that the person of `key` agrees.
  ///
  /// - Returns: The consent, and whether it is new: none was there, or it had been withdrawn. A
  ///   consent that stands keeps its `hidesEmail`, and gains scopes.
  mutating func giveConsent(
    _ key: ConsentKey, scopes: Set<Scope>, hidesEmail: Bool
  ) -> (consent: Consent, isNew: Bool) {
    if var standing = consents[key], !standing.isWithdrawn {
      standing.scopes.formUnion(scopes)
      consents.set(standing, for: key)
      return (standing, false)
    }
    lastConsentID += 1
    let consent = Consent(id: lastConsentID, scopes: scopes, hidesEmail: hidesEmail)
    consents.set(consent, for: key)
    return (consent, true)
  }

  /// Ends a consent, and with it every code and token that came of it.
  ///
  /// - Throws: `consent_not_found` if the person never agreed, or withdrew already.
  mutating func withdrawConsent(_ key: ConsentKey) throws(SimulatorError) {
    guard var consent = consents[key], !consent.isWithdrawn else {
      throw SimulatorError(
        .notFound, "consent_not_found",
        "This person has not agreed to anything with this client at this provider.")
    }
    consent.isWithdrawn = true
    consents.set(consent, for: key)
  }

  /// Deletes a person, whose consents end as if withdrawn: somebody made anew with the same id starts
  /// without any.
  ///
  /// - Throws: `person_not_found`.
  mutating func deletePerson(_ id: String) throws(SimulatorError) {
    try persons.remove(id)
    let person = Identifier(id)
    for key in Array(consents.keys) where key.person == person {
      guard var consent = consents[key] else { continue }
      consent.isWithdrawn = true
      consents.set(consent, for: key)
    }
  }

  /// The consent that `grant` came of, if it still stands and its person still exists.
  func standingConsent(of grant: Grant) -> (consent: Consent, person: Person)? {
    guard let consent = consents[grant.consentKey], consent.id == grant.consentID,
      !consent.isWithdrawn, let person = persons[grant.personID]
    else { return nil }
    return (consent, person)
  }
}

extension SimulatorState {
  /// How many accounts a page shows. Others sign in by their address, with "Use another person".
  static let shownPersons = 20

  /// The accounts that a page offers: first the one of `login_hint`, else the one that last signed
  /// in.
  func persons(for request: DialogRequest) -> [Person] {
    var offered = persons.all.filter { request.provider.kind.offers($0, for: request.form) }
    let hinted = request.form.filled("login_hint").flatMap { try? persons.named($0).id }
    if let first = hinted ?? lastSignIns[request.provider]?.personID,
      let index = offered.firstIndex(where: { $0.id.isSame(as: first) })
    {
      offered.insert(offered.remove(at: index), at: 0)
    }
    return Array(offered.prefix(Self.shownPersons))
  }

  /// The person with this address. If there is none, creates one with an id derived from the
  /// address.
  ///
  /// - Throws: `invalid_request` that names the member; `too_many_persons`.
  mutating func personOnTheSpot(
    email: String, firstName: String?, lastName: String?
  ) throws(SimulatorError) -> Person {
    if email.utf8.contains(UInt8(ascii: "@")), let known = try? persons.named(email) {
      return known
    }
    let input = PersonInput(
      id: freeID(email: email), email: email, givenName: firstName, familyName: lastName)
    let person = try input.person()
    try persons.put(person)
    return person
  }

  /// An id that no person has, derived from the address.
  func freeID(email: String) -> String {
    let local = email.utf8.prefix { $0 != UInt8(ascii: "@") }.prefix(40)
    let kept = local.filter { PersonInput.isIDByte($0) }
    let base = kept.isEmpty ? "person" : String(decoding: kept, as: UTF8.self)
    return persons[base] == nil ? base : "\(base)-\(RandomToken.hex(bytes: 4))"
  }
}

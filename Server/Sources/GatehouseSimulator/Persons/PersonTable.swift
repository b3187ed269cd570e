import HTTPTypes

/// The persons that exist, in the order of their creation.
struct PersonTable: Sendable {
  private let limit: Int
  private var byID: [Identifier: Person] = [:]
  private var order: [Identifier] = []

  init(_ persons: [Person], limit: Int) {
    self.limit = limit
    for person in persons.prefix(limit) { insert(person) }
  }

  var all: [Person] { order.compactMap { byID[$0] } }

  var isFull: Bool { order.count >= limit }

  subscript(id: String) -> Person? { byID[Identifier(id)] }

  /// Adds `person`, or replaces the one with the same id.
  ///
  /// - Throws: `too_many_persons`.
  mutating func put(_ person: Person) throws(SimulatorError) {
    if self[person.id] == nil, isFull {
      throw SimulatorError(
        .conflict, "too_many_persons",
        "The limit is \(limit) persons. Delete some, or POST /simulator/reset.")
    }
    insert(person)
  }

  private mutating func insert(_ person: Person) {
    let id = Identifier(person.id)
    if byID.updateValue(person, forKey: id) == nil { order.append(id) }
  }

  /// - Throws: `person_not_found`.
  mutating func remove(_ id: String) throws(SimulatorError) {
    let key = Identifier(id)
    guard byID.removeValue(forKey: key) != nil else {
      throw SimulatorError(.notFound, "person_not_found", "There is no person with this id.")
    }
    order.removeAll { $0 == key }
  }

  /// The person with this id, else with this email; the first person if `hint` is nil.
  ///
  /// - Throws: `person_not_found`.
  func named(_ hint: String?) throws(SimulatorError) -> Person {
    guard let hint else {
      if let first = order.first, let person = byID[first] { return person }
      throw SimulatorError(
        .notFound, "person_not_found",
        "There are no persons. Create one: POST /simulator/persons {\"id\":\"alice\"}.")
    }
    if let person = self[hint] { return person }
    let folded = hint.foldingASCII()
    if folded.contains("@"),
      let person = all.first(where: { $0.email.foldingASCII().isSame(as: folded) })
    {
      return person
    }
    throw SimulatorError(
      .notFound, "person_not_found",
      "There is no person with the id or email \"\(hint.prefix(64))\". "
        + "Create one: POST /simulator/persons {\"id\":\"alice\"}.")
  }
}

extension String {
  /// The text with only A–Z changed to a–z: folding other letters could make two different
  /// addresses equal.
  func foldingASCII() -> String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
        }))
  }
}

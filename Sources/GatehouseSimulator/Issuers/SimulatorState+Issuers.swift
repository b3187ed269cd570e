import HTTPTypes

extension SimulatorState {
  /// Makes an issuer, or sets what goes wrong at one.
  ///
  /// It signs with the keys of `/oidc` until it rotates them: making one of its own takes long.
  ///
  /// - Returns: Whether it is new.
  /// - Throws: `too_many_issuers`.
  mutating func putIssuer(
    _ issuer: Provider, _ faults: TokenFaults
  ) throws(SimulatorError) -> Bool {
    let isNew = !issuers.contains(issuer)
    guard !isNew || issuers.count < limits.issuers else {
      throw SimulatorError(
        .conflict, "too_many_issuers",
        "There are \(limits.issuers) issuers. Delete some, or POST /simulator/reset.")
    }
    issuers.insert(issuer)
    self.faults.tokens[issuer] = faults
    return isNew
  }

  /// - Throws: `issuer_not_found`.
  mutating func removeIssuer(_ issuer: Provider) throws(SimulatorError) {
    guard issuers.remove(issuer) != nil else { throw Self.issuerNotFound }
    faults.tokens[issuer] = nil
    keys[issuer] = nil
  }

  /// The issuer of this name.
  ///
  /// - Throws: `issuer_not_found`.
  func issuer(named name: String) throws(SimulatorError) -> Provider {
    guard let issuer = Provider(issuer: name), issuers.contains(issuer) else {
      throw Self.issuerNotFound
    }
    return issuer
  }

  private static let issuerNotFound = SimulatorError(
    .notFound, "issuer_not_found",
    "There is no such issuer. Make it: PUT /simulator/issuers/{name} {}.")
}

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
    let isNew = !madeByTests.contains(issuer)
    guard !isNew || madeByTests.count < limits.issuers else {
      throw SimulatorError(
        .conflict, "too_many_issuers",
        "There are \(limits.issuers) issuers. Delete some, or POST /simulator/reset.")
    }
    madeByTests.insert(issuer)
    self.faults.tokens[issuer] = faults
    return isNew
  }

  /// - Throws: `issuer_not_found`.
  mutating func removeIssuer(_ issuer: Provider) throws(SimulatorError) {
    guard madeByTests.remove(issuer) != nil else { throw Self.issuerNotFound }
    faults.tokens[issuer] = nil
    keys = keys.filter { $0.key.provider != issuer }
  }

  /// - Throws: `issuer_not_found` for a provider that a test hasn't made.
  func checkIsThere(_ provider: Provider) throws(SimulatorError) {
    guard !provider.isMadeByTest || madeByTests.contains(provider) else {
      throw Self.issuerNotFound
    }
  }

  /// The issuer of this name.
  ///
  /// - Throws: `issuer_not_found`.
  func issuer(named name: String) throws(SimulatorError) -> Provider {
    guard let issuer = Provider(OpenIDConnectProvider(), named: name), madeByTests.contains(issuer)
    else {
      throw Self.issuerNotFound
    }
    return issuer
  }

  private static let issuerNotFound = SimulatorError(
    .notFound, "issuer_not_found",
    "There is no such issuer. Make it: PUT /simulator/issuers/{name} {}.")
}

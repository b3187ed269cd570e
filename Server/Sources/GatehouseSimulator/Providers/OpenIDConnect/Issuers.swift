import HTTPTypes

extension SimulatorState {
  /// Creates an issuer, or replaces the faults of one.
  ///
  /// It signs with the keys of `/oidc` until its keys are rotated: creating keys takes long.
  ///
  /// - Returns: Whether the issuer is new.
  /// - Throws: `too_many_issuers`.
  mutating func putIssuer(
    _ issuer: Provider, _ faults: TokenFaults
  ) throws(SimulatorError) -> Bool {
    let isNew = !madeByTests.contains(issuer)
    guard !isNew || madeByTests.count < limits.issuers else {
      throw SimulatorError(
        .conflict, "too_many_issuers",
        "The limit is \(limits.issuers) issuers. Delete some, or POST /simulator/reset.")
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

  /// - Throws: `issuer_not_found` for a provider that no test has created.
  func checkIsThere(_ provider: Provider) throws(SimulatorError) {
    guard !provider.isMadeByTest || madeByTests.contains(provider) else {
      throw Self.issuerNotFound
    }
  }

  /// The issuer with this name.
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
    "The issuer does not exist. Create it: PUT /simulator/issuers/{name} {}.")
}

import GatehouseProtocol

extension Transaction {
  /// The issuer to store with an identity that an import or an administrator links.
  ///
  /// This is the provider's present issuer, if the configuration determines it. If the configuration
  /// doesn't (Microsoft's accounts of any tenant may sign in), it is the issuer under which the account
  /// has the identity already. Otherwise nil: the next sign-in with the identity sets its issuer.
  ///
  /// - Parameter account: The account before the change; nil if it is new.
  func issuer(
    of assigned: AssignedIdentity, linkedTo account: Account?, in project: ProjectID
  ) throws -> String? {
    if let issuer = try provider(assigned.provider, in: project)?.tokenIssuer { return issuer }
    guard let known = account?.identity(of: assigned.provider), known.subject == assigned.subject
    else { return nil }
    return assigned.provider.tokenIssuer(for: known.issuer)
  }
}

extension LinkedIdentity {
  /// Refuses a verified identity of another issuer than this one. OpenID Connect Core §2: `sub` is
  /// unique only within the issuer.
  ///
  /// - Throws: ``AccountsError/issuerChanged``.
  func refuseOtherIssuer(than identity: ExternalIdentity) throws(AccountsError) {
    if let issuer, let other = identity.issuer, !issuer.hasSameBytes(as: other) {
      throw .issuerChanged
    }
  }
}

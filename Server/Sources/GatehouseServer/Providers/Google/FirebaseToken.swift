import GatehouseProtocol
import GatehouseTokens

package import struct Foundation.Date

/// A verified ID token of a Firebase project. It shows that Firebase has a session of the user with this
/// uid.
package struct FirebaseToken: Sendable {
  let uid: UID
  /// How the user signed in to Firebase.
  let signInProvider: ProviderID
  /// When the user signed in to Firebase. Refreshes don't change it.
  let authenticatedAt: Date
  /// The account's custom claims at Firebase, and those of the session: of a custom token or a blocking
  /// function. The token doesn't say which are which.
  let claims: JSONObject
  /// The record that makes the token usable once. The caller must store it in the transaction that acts
  /// on the token.
  let use: SingleUseToken

  /// The claims that Firebase writes itself.
  private static let ownClaims =
    CustomClaims.reservedNames + [
      "email", "email_verified", "name", "phone_number", "picture", "provider_id", "user_id",
    ]

  /// - Throws: ``FederationError/unparsable(reason:)`` if a claim is absent or malformed, or the user
  ///   signed in to a tenant: projects have no tenants here.
  fileprivate init(_ token: VerifiedToken, clockSkewSeconds: Int) throws(FederationError) {
    guard let uid = UID(token.subject) else { throw .unparsable(reason: "sub") }
    // "Must be in the past. The time when the user authenticated."
    guard let authenticatedAt = token.authenticatedAt, authenticatedAt <= token.issuedAt else {
      throw .unparsable(reason: "auth_time")
    }
    guard let firebase = token.claims.object("firebase"), firebase.string("tenant") == nil,
      let provider = firebase.string("sign_in_provider").flatMap({ ProviderID($0) })
    else { throw .unparsable(reason: "firebase") }
    self.uid = uid
    self.authenticatedAt = authenticatedAt
    signInProvider = provider
    claims = JSONObject(
      token.claims.json.members.filter { !Self.ownClaims.containsBytes(of: $0.name) })
    use = SingleUseToken(
      digest: token.signingInputSHA256,
      acceptedUntil: token.expiresAt.addingTimeInterval(Double(clockSkewSeconds)))
  }
}

extension Federation {
  /// Verifies an ID token that Google issued for a user of a Firebase project (Firebase, "Verify ID tokens
  /// using a third-party JWT library").
  ///
  /// - Parameter project: The id of the Firebase project, from the configuration.
  /// - Throws: ``FederationError``.
  package func firebaseToken(
    _ compact: String, ofFirebaseProject project: String, now: Date
  ) async throws(FederationError) -> FirebaseToken {
    let issuer = "https://securetoken.google.com/\(project)"
    let failures = TokenFailures(issuer: issuer, clientID: project)
    var policy = TokenPolicy(issuers: [issuer], audiences: [project], algorithms: [.rs256])
    policy.clockSkewSeconds = services.options.clockSkewSeconds
    let verifier = TokenVerifier(policy: policy)
    let token = try await RemoteKeyVerification(
      remoteKeys: services.remoteKeys, failures: failures
    ).verify(compact, keysOf: KeySource(keys: try firebaseKeys), now: now) {
      token, keys throws(TokenError) in
      try verifier.verify(token, keys: keys.keys, now: now)
    }
    return try FirebaseToken(token, clockSkewSeconds: services.options.clockSkewSeconds)
  }
}

import GatehouseJSON
import GatehouseModel

/// Claims that a provider keeps for its userinfo endpoint (OpenID Connect Core §5.3).
///
/// Asked only when an app brought an access token and the ID token has no email, as some providers
/// make it. What can't be had is absent: an ID token that is good stays good.
struct UserInfo: Sendable {
  let transport: any OutboundTransport

  /// - Returns: The claims, or nil if they can't be had or aren't plain JSON.
  /// - Throws: ``FederationError/otherSubject``: "The sub Claim in the UserInfo Response MUST be
  ///   verified to exactly match the sub Claim in the ID Token" (§5.3.2), or somebody brought the
  ///   access token of another person.
  func claims(
    at url: OutboundURL, accessToken: Secret<String>, subject: String
  ) async throws(FederationError) -> JSONObject? {
    guard isBearerToken(accessToken.reveal()),
      let response = try? await transport.send(
        OutboundRequest(url, authorization: Secret("Bearer " + accessToken.reveal()))),
      response.status == 200,
      let claims = try? JSONObject(parsing: response.body, limits: .document)
    else { return nil }
    guard let received = claims["sub"]?.string, received.hasSameBytes(as: subject) else {
      throw .otherSubject
    }
    return claims
  }

  /// `b64token` (RFC 6750 §2.1): an app's text must not become more than one header.
  private func isBearerToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || "-._~+/=".utf8.contains(byte)
      }
  }
}

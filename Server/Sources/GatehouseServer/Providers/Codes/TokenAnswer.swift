import GatehouseProtocol
import GatehouseTokens

/// The response of a token endpoint to this server (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
///
/// Nobody but the provider can have written it: it came over TLS, in response to our request. So its
/// ID token may be signed with the client's secret. Only a response makes this type.
struct TokenAnswer: Sendable {
  /// Not verified.
  let tokens: ExternalIdentity.ProviderTokens
  /// The client as which this server sent the request.
  let clientID: String
  /// The secret with which this server authenticated as the client, if it did.
  let clientSecret: Secret<String>?

  /// - Parameter clientID: The client as which `credentials` authenticated the request.
  /// - Throws: ``FederationError/refusedByProvider(status:error:)`` unless the response is a
  ///   success.
  init(
    _ response: OutboundResponse, to credentials: ClientCredentials, clientID: String
  ) throws(FederationError) {
    let json = try? JSONObject(parsing: response.body, limits: .document)
    // GitHub responds with 200 to requests that it rejects, too.
    guard response.status == 200, let json,
      json.optional("error") == nil || json.optional("access_token") != nil
    else { throw .refusedByProvider(status: response.status, error: Self.errorCode(json)) }
    let secret = { (name: String) in
      json[name]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    }
    var tokens = ExternalIdentity.ProviderTokens(
      idToken: secret("id_token"), accessToken: secret("access_token"),
      refreshToken: secret("refresh_token"))
    tokens.clientID = clientID
    self.tokens = tokens
    self.clientID = clientID
    clientSecret = credentials.method.sharedSecret
  }

  static func errorCode(of response: OutboundResponse) -> String? {
    errorCode(try? JSONObject(parsing: response.body, limits: .document))
  }

  /// The member `error` (RFC 6749 §5.2) if it has 1 to 64 bytes of printable ASCII. Other texts are
  /// not repeated.
  private static func errorCode(_ json: JSONObject?) -> String? {
    guard let code = json?["error"]?.string, (1...64).contains(code.utf8.count),
      code.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    return code
  }
}

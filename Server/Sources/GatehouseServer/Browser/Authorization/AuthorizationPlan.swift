import GatehouseProtocol

/// How the server asks one provider for a sign-in through a browser. The provider's configuration
/// and its discovery document determine it.
package struct AuthorizationPlan: Sendable {
  /// What the request asks for.
  package let response: Response
  /// Whether the request has a code challenge (RFC 7636), which is always `S256`.
  package let usesPKCE: Bool
  let endpoint: OutboundURL
  let clientID: String
  let scopes: ScopeRule
  let mode: ModeRule
  let sendsNonce: Bool
  /// Whether an ID token is requested together with the code, if a name is requested and the
  /// response comes to this server. The token shows to which subject the name belongs, before the
  /// code is redeemed.
  var namesSubjectEarly = false

  package enum Response: Hashable, Sendable {
    case code
    /// An ID token through the browser: see `ProviderConfiguration.takesCode`.
    case idToken
  }

  /// Which `response_mode` a request has.
  enum ModeRule: Hashable, Sendable {
    /// No `response_mode`: the provider uses its default for the response type.
    case unsaid
    /// The given mode if the response comes to this server; the default if it comes to an app's
    /// page.
    case whereOurs(ResponseMode)
    /// `form_post` if any scope is requested, wherever the response goes (Apple).
    case formWithScopes
  }

  /// Which scopes a request has.
  struct ScopeRule: Sendable {
    /// The scopes without which the provider returns too little, or nothing.
    var required: [String] = []
    /// The scopes of a request that names none.
    var usual: [String] = []
    var separator = " "

    func text(_ asked: [String]) -> String {
      var scopes = required
      for scope in asked.isEmpty ? usual : asked where !scopes.containsBytes(of: scope) {
        scopes.append(scope)
      }
      return scopes.joined(separator: separator)
    }
  }

  /// The request's URL (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
  package func url(_ request: AuthorizationRequest) -> String {
    let scope = scopes.text(request.scopes)
    var fields: [(String, String)] = [
      ("response_type", responseType(request, scope: scope)), ("client_id", clientID),
      ("redirect_uri", request.redirectURI), ("state", request.state),
    ]
    if !scope.isEmpty { fields.append(("scope", scope)) }
    if let mode = mode(request, scope: scope) { fields.append(("response_mode", mode.rawValue)) }
    if sendsNonce { fields.append(("nonce", request.nonceHash)) }
    if usesPKCE, let challenge = request.codeChallenge {
      fields += [("code_challenge", challenge), ("code_challenge_method", "S256")]
    }
    fields += request.parameters.map { ($0.name, $0.value) }
    // "The endpoint URI MAY include a query component, which MUST be retained" (RFC 6749 §3.1).
    let separator = endpoint.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return endpoint.text + separator
      + fields.map { "\(FormEncoding.escaped($0))=\(FormEncoding.escaped($1))" }
      .joined(separator: "&")
  }

  private func responseType(_ request: AuthorizationRequest, scope: String) -> String {
    guard response == .code else { return "id_token" }
    let asksForName = scope.split(separator: " ").contains { $0.utf8.elementsEqual("name".utf8) }
    return namesSubjectEarly && request.comesToUs && asksForName ? "code id_token" : "code"
  }

  private func mode(_ request: AuthorizationRequest, scope: String) -> ResponseMode? {
    switch mode {
    case .unsaid: nil
    case .whereOurs(let mode): request.comesToUs ? mode : nil
    case .formWithScopes: scope.isEmpty ? nil : .formPost
    }
  }
}

/// What differs from one request to the next.
package struct AuthorizationRequest: Sendable {
  package var redirectURI: String
  package var state: String
  /// The nonce before hashing.
  package var rawNonce: String
  /// The code verifier of PKCE, 43 to 128 characters; nil if the plan doesn't use PKCE.
  package var codeVerifier: String?
  /// Scopes in addition to the required ones; they replace the usual ones (Apple).
  package var scopes: [String] = []
  /// Checked by ``AuthorizationParameters``.
  package var parameters: [(name: String, value: String)] = []
  /// Whether the redirect URI is this server's.
  package var comesToUs = true

  package init(
    redirectURI: String, state: String, rawNonce: String, codeVerifier: String?
  ) {
    self.redirectURI = redirectURI
    self.state = state
    self.rawNonce = rawNonce
    self.codeVerifier = codeVerifier
  }
}

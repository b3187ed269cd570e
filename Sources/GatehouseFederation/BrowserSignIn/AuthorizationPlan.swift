import GatehouseModel

/// How one provider is asked to sign somebody in through a browser: from its configuration, and from
/// what it says of itself.
package struct AuthorizationPlan: Sendable {
  /// What is asked for.
  package let response: Response
  /// Whether the request has a challenge (RFC 7636): always `S256`.
  package let usesPKCE: Bool
  let endpoint: OutboundURL
  let clientID: String
  let scopes: ScopeRule
  let mode: ModeRule
  let sendsNonce: Bool
  /// Asks for an ID token beside the code where a name is asked for and the answer comes to this
  /// server: who the name belongs to is then known before the code is redeemed.
  var namesSubjectEarly = false

  package enum Response: Hashable, Sendable {
    case code
    /// An ID token through the browser, for a provider that gave us no secret.
    case idToken
  }

  /// Which `response_mode` a request has.
  enum ModeRule: Hashable, Sendable {
    /// None: the provider's default for what is asked.
    case unsaid
    /// Where the answer comes to this server. An app's own page takes the default.
    case whereOurs(ResponseMode)
    /// A form where any scope is asked for, wherever the answer comes to: Apple.
    case formWithScopes
  }

  /// Which scopes a request has.
  struct ScopeRule: Sendable {
    /// Without which the provider tells too little, or nothing.
    var required: [String] = []
    /// Where the request names none.
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
  /// PKCE's, of 43 to 128 characters; nil where the plan has none.
  package var codeVerifier: String?
  /// Beyond those that the provider's answer needs; for Apple instead of the usual ones.
  package var scopes: [String] = []
  /// Went through ``AuthorizationParameters``.
  package var parameters: [(name: String, value: String)] = []
  /// The redirect URI is this server's.
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

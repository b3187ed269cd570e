import HTTPTypes

/// The parameters of an authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
///
/// Checked in two steps, because an error may be sent to the client only after its redirect URI is
/// verified (RFC 6749 §4.1.2.1): `init` checks the redirect URI, ``approvalRequest()`` the rest.
struct OpenIDAuthorization: Sendable {
  private let provider: Provider
  private let kind: any OpenIDKind
  private let form: RequestForm
  private let clientID: String
  let redirectURI: String
  let mode: ResponseMode
  let state: String?

  /// - Throws: `invalid_request`, ``OpenIDKind/redirectURIMismatch``. Both are shown to the person.
  init(
    _ form: RequestForm, provider: Provider, kind: any OpenIDKind,
    client: (String) -> RegisteredClient?
  ) throws(SimulatorError) {
    self.provider = provider
    self.kind = kind
    self.form = form
    clientID = try form.require("client_id")
    redirectURI = try form.require("redirect_uri")
    try RedirectURI.check(redirectURI, webOnly: false)
    try client(clientID)?.checkRedirectURI(redirectURI, code: kind.redirectURIMismatch)
    let frontChannelToken = form["response_type"]?.contains("id_token") == true
    let defaultMode: ResponseMode = frontChannelToken ? .fragment : .query
    guard let mode = ResponseMode(rawValue: form["response_mode"] ?? defaultMode.rawValue) else {
      throw .invalidRequest("response_mode must be query, fragment or form_post.")
    }
    guard mode != .query || !frontChannelToken else {
      throw .invalidRequest("response_mode must be fragment or form_post for an id_token.")
    }
    self.mode = mode
    state = form["state"]
  }

  var wantsCode: Bool { responseTypes.contains("code") }
  var wantsIDToken: Bool { responseTypes.contains("id_token") }
  var isDenied: Bool { form["decision"] == "cancel" }

  private var responseTypes: Set<String> {
    Set((form["response_type"] ?? "").split(separator: " ").map(String.init))
  }

  /// - Throws: Errors that are sent to the client: `unsupported_response_type`, `invalid_scope`,
  ///   `invalid_request`.
  func approvalRequest() throws(SimulatorError) -> ApprovalRequest {
    guard !responseTypes.isEmpty else {
      throw .invalidRequest("Missing required parameter: response_type")
    }
    guard responseTypes.isSubset(of: ["code", "id_token"]) else {
      throw SimulatorError(
        .badRequest, "unsupported_response_type",
        "response_type must be \"code\", \"id_token\" or \"code id_token\".")
    }
    try kind.checkScopes(Scope.parse(form["scope"]))
    let scopes = kind.knownScopes(form["scope"])
    guard scopes.contains(.openid) else {
      throw SimulatorError(.badRequest, "invalid_scope", "scope must contain \"openid\".")
    }
    let nonce = form.filled("nonce")
    // "nonce: REQUIRED" if the ID token comes through the browser (OpenID Connect Core §3.2.2.1).
    guard nonce != nil || !wantsIDToken else {
      throw .invalidRequest("Missing required parameter: nonce")
    }
    return ApprovalRequest(
      provider: provider, clientID: clientID,
      person: form.filled("person") ?? form.filled("login_hint"),
      scopes: scopes, nonce: nonce, redirectURI: redirectURI,
      codeChallenge: try CodeChallenge.read(form),
      wantsRefreshToken: form["access_type"] == "offline" || scopes.contains(.offlineAccess),
      promptsConsent: form.words("prompt").contains("consent"),
      authenticationContext: authenticationContext,
      claims: kind.meetsRequestedClaims
        ? try RequestedClaims(form.filled("claims")) : RequestedClaims())
  }

  /// The first of the requested values, which are "Voluntary" and in order of preference (OpenID
  /// Connect Core §3.1.2.1). The simulator can meet every value.
  private var authenticationContext: String? {
    guard kind.meetsRequestedClaims, let values = form.filled("acr_values") else { return nil }
    return values.split(separator: " ").first.map(String.init)
  }
}

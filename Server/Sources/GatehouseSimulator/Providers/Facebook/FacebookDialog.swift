import HTTPTypes
import Hummingbird

extension FacebookRoutes {
  /// `GET /facebook/dialog/oauth`: the login dialog (Meta, "Manually build a login flow"). A
  /// browser gets the pages of ``DialogRoutes``; see ``DialogRule``.
  ///
  /// Facebook's parameters: `client_id redirect_uri state response_type (code, token) scope
  /// nonce code_challenge code_challenge_method auth_type`. The simulator's parameters: `person`
  /// (or `login_hint`), `declined=email` for a person who unticks it, and `decision=cancel` for a
  /// person who refuses.
  func dialog(_ request: Request) throws -> Response {
    let form = try RequestForm.query(request)
    _ = try dialogRequest(form)
    return try dialogs.begin(form, request) ?? answerDialog(form)
  }

  var dialogs: DialogRoutes {
    DialogRoutes(store: store, provider: .facebook) { form, _ in try answerDialog(form) }
  }

  /// Facebook shows an error page for every invalid request, so all errors are thrown.
  private func dialogRequest(_ form: RequestForm) throws(SimulatorError) -> ApprovalRequest {
    let clientID = try form.require("client_id")
    let redirectURI = try form.require("redirect_uri")
    try RedirectURI.check(redirectURI, webOnly: false)
    try store.withState { $0.clients[.facebook, clientID] }?.checkRedirectURI(redirectURI)
    guard ["code", "token", nil].contains(form.filled("response_type")) else {
      throw .invalidRequest("response_type must be code or token.")
    }
    guard form.filled("code_challenge") == nil || form["code_challenge_method"] == "S256" else {
      throw .invalidRequest("code_challenge_method must be S256.")
    }
    return ApprovalRequest(
      provider: .facebook, clientID: clientID,
      person: form.filled("person") ?? form.filled("login_hint"),
      scopes: FacebookClaims.scopes(form["scope"])
        .subtracting(Scope.parse(form["declined"]?.replacing(",", with: " "))),
      nonce: form.filled("nonce"), redirectURI: redirectURI,
      codeChallenge: form.filled("code_challenge"))
  }

  private func answerDialog(_ form: RequestForm) throws -> Response {
    let asked = try dialogRequest(form)
    let wantsToken = form["response_type"] == "token"
    let state = form["state"].map { [(name: "state", value: $0)] } ?? []
    func answer(_ fields: [(name: String, value: String)]) -> Response {
      AuthorizationAnswer(
        mode: wantsToken ? .fragment : .query, redirectURI: asked.redirectURI ?? "",
        fields: fields + state
      ).response()
    }
    guard form["decision"] != "cancel" else {
      return answer([
        ("error", "access_denied"), ("error_code", "200"),
        ("error_description", "Permissions error"), ("error_reason", "user_denied"),
      ])
    }
    let now = store.now
    return try store.withState { state throws(SimulatorError) in
      let approval = try state.approve(asked, now: now)
      guard wantsToken else { return answer([("code", approval.code)]) }
      let token = state.issueAccessToken(for: approval.grant, now: now, faults: nil)
      return answer([
        ("access_token", token),
        ("expires_in", String(FacebookProvider.accessTokenLifetime)),
      ])
    }
  }

  /// `GET /facebook/graph/oauth/access_token`: exchanges a code, or returns the app's own token
  /// with `grant_type=client_credentials`.
  func accessToken(_ form: RequestForm) throws -> JSONValue {
    let clientID = try form.require("client_id")
    let secret = try form.require("client_secret")
    let registered = store.withState { $0.clients[.facebook, clientID]?.clientSecret }
    guard registered.map({ $0.isSameSecret(as: secret) }) ?? true else {
      throw GraphError(1, "Error validating client secret.")
    }
    if form["grant_type"] == "client_credentials" {
      return ["access_token": .string("\(clientID)|\(secret)"), "token_type": "bearer"]
    }
    let exchange = CodeExchange(
      provider: .facebook, clientID: clientID, code: try form.require("code"),
      redirectURI: form.filled("redirect_uri"), codeVerifier: form.filled("code_verifier"))
    let (now, baseURL) = (store.now, store.baseURL)
    let answer = try store.withState { state in
      let grant = try state.exchange(exchange, now: now)
      return try state.issueTokens(for: grant, baseURL: baseURL, now: now)
    }
    var members: [String: JSONValue] = [
      "access_token": .string(answer.accessToken), "token_type": "bearer",
    ]
    members["expires_in"] = answer.expiresIn.map(JSONValue.integer)
    members["id_token"] = try answer.idToken.map { .string(try $0.signed()) }
    return .object(members)
  }
}

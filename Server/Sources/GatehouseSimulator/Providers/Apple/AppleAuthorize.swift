import Foundation
import HTTPTypes
import Hummingbird

/// The parameters of `GET /apple/auth/authorize`.
private struct AppleAuthorization {
  var approval: ApprovalRequest
  /// The name as the person edited it; nil for the person's own name.
  let sharedName: SharedName?
  let redirectURI: String
  let wantsIDToken: Bool
  let mode: ResponseMode
  let state: String?

  /// Apple shows an error page for every invalid request and doesn't redirect, so all errors are
  /// thrown.
  ///
  /// - Throws: `invalid_request`, `unsupported_response_type`.
  init(_ form: RequestForm, client: (String) -> RegisteredClient?) throws(SimulatorError) {
    let clientID = try form.require("client_id")
    redirectURI = try form.require("redirect_uri")
    try RedirectURI.check(redirectURI, webOnly: true)
    try client(clientID)?.checkRedirectURI(redirectURI)
    switch try form.require("response_type") {
    case "code": wantsIDToken = false
    case "code id_token", "id_token code": wantsIDToken = true
    default:
      throw SimulatorError(
        .badRequest, "unsupported_response_type",
        "response_type must be \"code\" or \"code id_token\".")
    }
    let scopes = Scope.parse(form["scope"]).intersection([.openid, .email, .name])
    let defaultMode = wantsIDToken ? ResponseMode.fragment.rawValue : ResponseMode.query.rawValue
    guard let mode = ResponseMode(rawValue: form["response_mode"] ?? defaultMode) else {
      throw .invalidRequest("response_mode must be query, fragment or form_post.")
    }
    guard mode != .query || !wantsIDToken else {
      throw .invalidRequest("response_mode must be fragment or form_post for an id_token.")
    }
    // Apple never returns name and email in a URL.
    guard mode == .formPost || scopes.isDisjoint(with: [.email, .name]) else {
      throw .invalidRequest(
        "response_mode must be form_post when name or email scope is requested.")
    }
    self.mode = mode
    state = form["state"]
    approval = ApprovalRequest(
      provider: .apple, clientID: clientID,
      person: form.filled("person") ?? form.filled("login_hint"),
      scopes: scopes, hidesEmail: form["email"].map { $0 == "hide" }, nonce: form.filled("nonce"),
      redirectURI: redirectURI)
    if let first = form["first_name"], let last = form["last_name"] {
      sharedName = SharedName(first: first, last: last)
    } else {
      sharedName = nil
    }
  }
}

extension AppleRoutes {
  /// `GET /apple/auth/authorize`: the web's "Sign in with Apple".
  ///
  /// A browser gets the pages of ``DialogRoutes``; see ``DialogRule``.
  ///
  /// Apple's parameters: `client_id`, `redirect_uri`, `response_type` (`code`, `code id_token`),
  /// `response_mode`, `scope`, `state`, `nonce`. The simulator's parameters: `person` (or
  /// `login_hint`), `email=hide`, `first_name` with `last_name` for an edited name, and
  /// `decision=cancel` for a person who closes the sheet.
  func authorize(_ request: Request) throws -> Response {
    let form = try RequestForm.query(request)
    _ = try authorization(form)
    return try dialogs.begin(form, request) ?? answer(form, nil)
  }

  var dialogs: DialogRoutes {
    DialogRoutes(store: store, provider: .apple) { try answer($0, $1) }
  }

  private func authorization(_ form: RequestForm) throws(SimulatorError) -> AppleAuthorization {
    try AppleAuthorization(form) { id in store.withState { $0.clients[.apple, id] } }
  }

  private func answer(_ form: RequestForm, _ authenticated: LastSignIn?) throws -> Response {
    var asked = try authorization(form)
    asked.approval.authTime = authenticated?.at
    guard form["decision"] != "cancel" else {
      return answer(asked, [("error", "user_cancelled_authorize")])
    }
    let (now, baseURL) = (store.now, store.baseURL)
    let (signIn, idToken) = try store.withState { state in
      let signIn = try state.approveApple(
        asked.approval, sharedName: asked.sharedName, now: now)
      let idToken =
        asked.wantsIDToken
        ? try state.idToken(
          for: signIn.approval.grant, baseURL: baseURL, now: now,
          contents: IDTokenContents(nonce: asked.approval.nonce, code: signIn.approval.code),
          faults: nil) : nil
      return (signIn, idToken)
    }
    var fields = [(name: "code", value: signIn.approval.code)]
    if let idToken { fields.append(("id_token", try idToken.signed())) }
    if let user = try user(signIn, mode: asked.mode) { fields.append(("user", user)) }
    return answer(asked, fields)
  }

  private func answer(
    _ asked: AppleAuthorization, _ fields: [(name: String, value: String)]
  ) -> Response {
    let state = asked.state.map { [(name: "state", value: $0)] } ?? []
    return AuthorizationAnswer(
      mode: asked.mode, redirectURI: asked.redirectURI, fields: state + fields
    ).response()
  }

  /// The JSON of the `user` parameter: only at the first sign-in, and only with `form_post`.
  private func user(_ signIn: AppleSignIn, mode: ResponseMode) throws -> String? {
    guard mode == .formPost, signIn.name != nil || signIn.email != nil else { return nil }
    var members: [String: JSONValue] = [:]
    if let name = signIn.name {
      members["name"] = ["firstName": .string(name.first), "lastName": .string(name.last)]
    }
    members["email"] = signIn.email.map(JSONValue.string)
    return String(decoding: try JSONValue.object(members).data(), as: UTF8.self)
  }
}

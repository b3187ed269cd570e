import Foundation
import HTTPTypes
import Hummingbird

/// The parameters of an authorization request. As for all providers, `init` checks the redirect
/// URI, to which other errors may be sent.
private struct MicrosoftAuthorization {
  let form: RequestForm
  let clientID: String
  let redirectURI: String
  let mode: ResponseMode
  let authority: MicrosoftAuthority

  var state: String? { form["state"] }
  var wantsCode: Bool { form.words("response_type").contains("code") }
  var wantsIDToken: Bool { form.words("response_type").contains("id_token") }

  /// - Throws: Errors that are shown to the person.
  init(
    _ form: RequestForm, _ authority: MicrosoftAuthority, client: (String) -> RegisteredClient?
  ) throws(SimulatorError) {
    self.form = form
    self.authority = authority
    guard let clientID = form.filled("client_id") else { throw MicrosoftError.missing("client_id") }
    self.clientID = clientID
    let registered = client(clientID)
    // "If not present, the endpoint will pick one registered redirect_uri at random".
    guard let address = form.filled("redirect_uri") ?? registered?.redirectURIs.first else {
      throw MicrosoftError.error(
        .badRequest, "invalid_request", 900_971, "No reply address provided.")
    }
    try RedirectURI.check(address, webOnly: false)
    do {
      try registered?.checkRedirectURI(address)
    } catch {
      throw MicrosoftError.error(
        .badRequest, "invalid_request", 50_011,
        "The redirect URI '\(address)' specified in the request does not match the redirect URIs "
          + "configured for the application '\(clientID.prefix(64))'.")
    }
    redirectURI = address
    let isToken = form.words("response_type").contains("id_token")
    let asked = form["response_mode"] ?? (isToken ? "fragment" : "query")
    guard let mode = ResponseMode(rawValue: asked), mode != .query || !isToken else {
      throw MicrosoftError.error(
        .badRequest, "invalid_request", 70_007,
        "'\(asked.prefix(64))' is not a supported value of 'response_mode' when requesting a token."
      )
    }
    self.mode = mode
  }

  /// - Throws: Errors that are sent to the client.
  func check() throws(SimulatorError) {
    let types = form.words("response_type")
    guard !types.isEmpty else { throw MicrosoftError.missing("response_type") }
    guard types.isSubset(of: ["code", "id_token"]) else {
      throw MicrosoftError.error(
        .badRequest, "unsupported_response_type", 70_005,
        "The app requested a response type that is not supported.")
    }
    guard let scope = form.filled("scope") else { throw MicrosoftError.missing("scope") }
    if let unknown = MicrosoftScopes.unknown(scope) {
      throw MicrosoftError.error(
        .badRequest, "invalid_scope", 70_011,
        "The provided value for the input parameter 'scope' is not valid. The scope "
          + "\(unknown.prefix(64)) is not valid.")
    }
    guard wantsIDToken else { return }
    guard MicrosoftScopes.parse(scope).contains(.openid) else {
      throw MicrosoftError.error(
        .badRequest, "invalid_scope", 70_011,
        "The provided value for the input parameter 'scope' is not valid. An id_token needs openid."
      )
    }
    guard form.filled("nonce") != nil else {
      throw MicrosoftError.error(
        .badRequest, "invalid_request", 90_014,
        "The required field 'nonce' is missing from the credential.")
    }
  }
}

extension MicrosoftRoutes {
  /// `GET /microsoft/{tenant}/oauth2/v2.0/authorize`, or by a form. A browser gets the pages of
  /// ``DialogRoutes``; see ``DialogRule``.
  ///
  /// Microsoft's parameters: `client_id response_type redirect_uri scope response_mode state
  /// nonce prompt login_hint domain_hint code_challenge code_challenge_method` (only `S256`).
  /// The simulator's parameters: `person`, and `decision=cancel`.
  func authorize(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    let sent =
      request.method == .post
      ? try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
      : try RequestForm.query(request)
    let form = naming(sent.setting("tenant", to: try context.parameters.require("tenant")))
    return try answer(form, nil) { form in try dialogs.begin(form, request) }
  }

  var dialogs: DialogRoutes {
    DialogRoutes(store: store, provider: .microsoft) { form, authenticated in
      do {
        return try answer(form, authenticated) { _ in nil }
      } catch let error as SimulatorError where error.message.hasPrefix("AADSTS") {
        return try MicrosoftError.response(error, now: store.now)
      }
    }
  }

  /// Replaces a `login_hint` that is an account's name at Microsoft with the person's id.
  private func naming(_ form: RequestForm) -> RequestForm {
    guard let hint = form.filled("login_hint")?.foldingASCII() else { return form }
    let person = store.withState { state in
      state.persons.all.first {
        MicrosoftAccount.of($0)?.preferredUsername?.foldingASCII().isSame(as: hint) == true
      }
    }
    return person.map { form.setting("login_hint", to: $0.id) } ?? form
  }

  /// - Parameter begin: Returns a page for a valid request, or nil if the request needs none.
  private func answer(
    _ form: RequestForm, _ authenticated: LastSignIn?, begin: (RequestForm) throws -> Response?
  ) throws -> Response {
    let authority = try authority(form["tenant"] ?? "")
    let asked = try MicrosoftAuthorization(form, authority) { id in
      store.withState { $0.clients[.microsoft, id] }
    }
    let isSilent = form.words("prompt").contains("none")
    let fields: [(name: String, value: String)]
    do {
      try asked.check()
      let challenge = try CodeChallenge.read(form)
      guard form["decision"] != "cancel" else {
        throw MicrosoftError.error(
          .badRequest, "access_denied", 65_004, "User declined to consent to access the app.")
      }
      if let page = try begin(form) { return page }
      fields = try approve(asked, challenge, authenticated)
    } catch let error as SimulatorError where isSilent || !Self.isShown(error) {
      let isCancelled = error.message.hasPrefix("AADSTS65004:")
      let subcode = isCancelled ? [(name: "error_subcode", value: "cancel")] : []
      return answer(
        asked,
        [("error", error.code)] + subcode + [("error_description", Self.description(error))])
    }
    return answer(asked, fields)
  }

  /// Whether an error is shown to the person and not sent to the client.
  private static func isShown(_ error: SimulatorError) -> Bool {
    ["person_not_found", "sheet_not_found"].contains(error.code)
      || error.message.hasPrefix("AADSTS50020:") || error.message.hasPrefix("AADSTS500200:")
  }

  private static func description(_ error: SimulatorError) -> String {
    switch error.code {
    case "login_required":
      "AADSTS50058: A silent sign-in request was sent but no user is signed in."
    case "consent_required":
      "AADSTS65001: The user or administrator has not consented to use the application."
    default: error.message
    }
  }

  private func approve(
    _ asked: MicrosoftAuthorization, _ challenge: String?, _ authenticated: LastSignIn?
  ) throws -> [(name: String, value: String)] {
    let (now, baseURL, form) = (store.now, store.baseURL, asked.form)
    let (code, idToken) = try store.withState { state in
      let (person, user) = try state.microsoftUser(
        form.filled("person") ?? form.filled("login_hint"), at: asked.authority)
      var request = ApprovalRequest(
        provider: .microsoft, clientID: asked.clientID, person: person.id,
        scopes: MicrosoftScopes.parse(form["scope"]), nonce: form.filled("nonce"),
        redirectURI: asked.redirectURI, codeChallenge: challenge)
      request.wantsRefreshToken = request.scopes.contains(.offlineAccess)
      request.promptsConsent = form.words("prompt").contains("consent")
      request.authTime = authenticated?.at
      request.details = ["tid": user.tenant.id, "authority": (form["tenant"] ?? "").foldingASCII()]
      let approval = try state.approve(request, now: now)
      let contents = IDTokenContents(
        nonce: request.nonce, code: asked.wantsCode ? approval.code : nil)
      let idToken =
        asked.wantsIDToken
        ? try state.idToken(
          for: approval.grant, baseURL: baseURL, now: now, contents: contents, faults: nil) : nil
      return (approval.code, idToken)
    }
    var fields: [(name: String, value: String)] = []
    if asked.wantsCode { fields.append(("code", code)) }
    if let idToken { fields.append(("id_token", try idToken.signed())) }
    fields.append(("session_state", MicrosoftUser.guid(RandomToken.hex(bytes: 16))))
    return fields
  }

  private func answer(
    _ asked: MicrosoftAuthorization, _ fields: [(name: String, value: String)]
  ) -> Response {
    var all = fields
    if let state = asked.state { all.append(("state", state)) }
    store.withState { $0.faults.tokens[.microsoft] }?.apply(toAnswer: &all)
    return AuthorizationAnswer(mode: asked.mode, redirectURI: asked.redirectURI, fields: all)
      .response()
  }
}

extension SimulatorState {
  /// The named person, else the first person with an account there.
  ///
  /// - Throws: `person_not_found`; AADSTS50020 if the person has no account there.
  func microsoftUser(
    _ hint: String?, at authority: MicrosoftAuthority
  ) throws(SimulatorError) -> (Person, MicrosoftUser) {
    if hint == nil {
      for person in persons.all {
        if let user = MicrosoftUser(person, at: authority) { return (person, user) }
      }
    }
    let person = try persons.named(hint)
    guard let user = MicrosoftUser(person, at: authority) else {
      throw MicrosoftError.notInTenant(person, authority)
    }
    return (person, user)
  }
}

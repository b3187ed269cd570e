import Foundation
import GatehouseProtocol
import HTTPTypes

/// `/console`: its files, and its session. Everything else that the console does is an administrator's request.
struct Console: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      file("console") { _ in ConsoleFile.page.answer },
      file("console/*") { call in
        guard let file = ConsoleFile.all[call.path.resource ?? ""] else { throw APIError.notFound }
        return file.answer
      },
      call(.get, "console/session", "console.session", show),
      call(.post, "console/session", "console.signIn", isSignIn: true, signIn),
      call(.delete, "console/session", "console.signOut", signOut),
      call(.post, "console/invitation", "console.invitation", isSignIn: true, accept),
      call(.get, "console/sessions", "console.sessions", sessions),
      call(.post, "console/sessions:end", "console.endSession", endSession),
    ]
  }

  private func file(_ pattern: String, _ handle: @escaping Route.Handler) -> Route {
    Route(
      method: .get, pattern: pattern, name: "console", access: .console, envelope: .page,
      handle: handle)
  }

  private func call(
    _ method: HTTPRequest.Method, _ pattern: String, _ name: String, isSignIn: Bool = false,
    _ handle: @escaping Route.Handler
  ) -> Route {
    Route(
      method: method, pattern: pattern, name: name, access: .console, envelope: .identityToolkit,
      isSignIn: isSignIn, handle: handle)
  }

  private var cookies: ConsoleSessions { ConsoleSessions(accounts: services.accounts) }
  private var users: ConsoleUsers {
    ConsoleUsers(services: services, publicURL: configuration.publicURL)
  }

  /// Who is signed in, with a new cookie: whoever uses the console stays signed in.
  func show(_ call: Call) async throws -> Answer {
    if configuration.development != nil { return Answer(ConsoleState(mode: "development")) }
    if let (user, session, proof) = try await current(call) {
      return try answer(user, session, proof, call)
    }
    var state = ConsoleState(mode: "signedOut")
    state.url = configuration.publicURL + "/console"
    let project = try await users.project
    state.project = project.id.text
    state.apiKey = try await services.projects.apiKeys(of: project.id).first?.text
    state.hasPasskeys = project.policies.passkeys.isEnabled
    return Answer(state)
  }

  /// Exchanges the ID token of a sign-in with two factors, which must be recent, for the console's cookie. The session
  /// of the browser's former cookie ends.
  func signIn(_ call: Call) async throws -> Answer {
    let proof = try possession(call)
    let project = try await users.project
    let user = try await services.accounts.currentUser(
      ofIDToken: try call.fields.string("idToken") ?? "", in: project, now: call.now)
    guard ConsoleSessions.mayAdminister(user.session, of: user.account, now: call.now) else {
      throw AccountsError.secondFactorRequired
    }
    guard call.now.timeIntervalSince(user.session.authenticatedAt) <= ConsoleSessions.recentSeconds
    else { throw AccountsError.credentialTooOld }
    guard let known = ConsoleUser(user.account) else { throw AccountsError.userNotFound }
    if let (former, session, _) = try await current(call), session.id != user.session.id {
      try await end(session.id, of: former, call)
    }
    return try answer(known, user.session, proof, call)
  }

  func signOut(_ call: Call) async throws -> Answer {
    if let (user, session, _) = try await current(call) {
      try await end(session.id, of: user, call)
    }
    var answer = Answer(EmptyResponse())
    answer.headers[.setCookie] = "\(name)=\(attributes); Max-Age=0"
    return answer
  }

  /// Signs an invited user in, who then adds a passkey, or a password and an authenticator app.
  func accept(_ call: Call) async throws -> Answer {
    _ = try possession(call)
    let email = try call.fields.nonEmptyString("email").map { text throws(APIError) in
      try EmailAddress(checking: text)
    }
    let signedIn = try await users.accept(
      try call.fields.string("invitation") ?? "", email: email, now: call.now)
    return Answer(
      ConsoleInvitation(
        idToken: signedIn.tokens.idToken, refreshToken: signedIn.tokens.refreshToken,
        email: signedIn.account.email?.text))
  }

  /// The user's own sessions.
  func sessions(_ call: Call) async throws -> Answer {
    let (user, session) = try await own(call)
    return DeviceSessions.answer(
      try await services.accounts.sessions(of: user.account.uid, in: try await users.project),
      current: session.id)
  }

  func endSession(_ call: Call) async throws -> Answer {
    let (user, _) = try await own(call)
    guard let id = SessionID(try call.fields.string("sessionId") ?? "") else {
      throw APIError.invalidArgument("Invalid sessionId.")
    }
    try await end(id, of: user, call)
    return Answer(EmptyResponse())
  }

  private func own(_ call: Call) async throws -> (ConsoleUser, Session) {
    guard let (user, session, _) = try await current(call) else { throw APIError.credentialRefused }
    return (user, session)
  }

  // MARK: The cookie

  private var name: String { ConsoleCredential.cookieName(at: configuration.publicURL) }
  // Strict: no other site's page can make the browser send it.
  private var attributes: String {
    "; Path=/; HttpOnly; SameSite=Strict"
      + (CallbackURI.isSecure(configuration.publicURL) ? "; Secure" : "")
  }

  /// Who is signed in, with a cookie for another hour.
  private func answer(
    _ user: ConsoleUser, _ session: Session, _ proof: PossessionProof, _ call: Call
  ) throws -> Answer {
    let cookie = try cookies.cookie(for: session.id, proof, now: call.now)
    var answer = Answer(ConsoleState(user, session))
    answer.headers[.setCookie] =
      "\(name)=\(cookie)\(attributes); Max-Age=\(Int(ConsoleSessions.idleSeconds))"
    return answer
  }

  /// A page of another origin can't send the header without asking the server first, which refuses.
  private func possession(_ call: Call) throws(APIError) -> PossessionProof {
    try PossessionProof(of: call.head, at: configuration.publicURL, now: call.now)
  }

  private func current(
    _ call: Call
  ) async throws -> (user: ConsoleUser, session: Session, proof: PossessionProof)? {
    guard let credential = ConsoleCredential(call.head, at: configuration.publicURL),
      let proof = try? credential.possession(now: call.now),
      let (user, session) = try await cookies.user(credential.cookie, proof, now: call.now)
    else { return nil }
    return (user, session, proof)
  }

  private func end(_ session: SessionID, of user: ConsoleUser, _ call: Call) async throws {
    _ = try await services.accounts.endSessions(
      [session], of: user.account.uid, in: try await users.project, now: call.now)
  }
}

/// What the console's start shows.
private struct ConsoleState: WireResponse {
  var mode: String
  /// Where the console is: proofs are for the server's public URL.
  var url: String?
  var project: String?
  var apiKey: String?
  var hasPasskeys = false
  private var user: ConsoleUser?
  private var expires: Date?

  init(mode: String) { self.mode = mode }

  init(_ user: ConsoleUser, _ session: Session) {
    mode = "signedIn"
    self.user = user
    expires = session.createdAt.addingTimeInterval(ConsoleSessions.lifetimeSeconds)
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("mode", mode)
    writer.member("url", ifPresent: url)
    writer.member("project", ifPresent: project)
    writer.member("apiKey", ifPresent: apiKey)
    if mode == "signedOut" { writer.member("passkeys", hasPasskeys) }
    writer.member("expires", ifPresent: expires?.withMilliseconds)
    guard let user else { return }
    writer.object("user") {
      $0.member("uid", user.account.uid.text)
      $0.member("email", ifPresent: user.account.email?.text)
      $0.member("role", user.role.rawValue)
      $0.member("project", ifPresent: user.project?.text)
    }
  }
}

private struct ConsoleInvitation: WireResponse {
  let idToken: String
  let refreshToken: String
  let email: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", idToken)
    writer.member("refreshToken", refreshToken)
    writer.member("email", ifPresent: email)
  }
}

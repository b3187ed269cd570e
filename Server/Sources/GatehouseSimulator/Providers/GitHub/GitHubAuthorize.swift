import HTTPTypes
import Hummingbird

/// The check of `redirect_uri`, which selects where the response goes (GitHub, "Authorizing OAuth
/// apps", "Redirect URLs").
enum GitHubRedirect {
  /// - Parameters:
  ///   - asked: The request's URI; nil selects the first registered one.
  ///   - registered: The callback URLs; if empty, any URI is accepted.
  /// - Returns: The address, or nil if `asked` doesn't match: then the error goes to the first
  ///   registered one.
  /// - Throws: `invalid_request` if there is no address at all.
  static func address(
    _ asked: String?, registered: [String]
  ) throws(SimulatorError) -> String? {
    guard let asked else {
      guard let first = registered.first else {
        throw .invalidRequest("Missing required parameter: redirect_uri")
      }
      return first
    }
    try RedirectURI.check(asked, webOnly: false)
    guard !registered.isEmpty else { return asked }
    return registered.contains { fits(asked, $0) } ? asked : nil
  }

  /// "The redirect_uri's host (excluding sub-domains) and port must exactly match the callback URL.
  /// The redirect_uri's path must reference a subdirectory of the callback URL." On loopback
  /// addresses, any port matches.
  static func fits(_ uri: String, _ callback: String) -> Bool {
    guard let one = Parts(uri), let other = Parts(callback), one.scheme == other.scheme else {
      return false
    }
    let isLoopback = ["127.0.0.1", "[::1]"].contains(other.host)
    guard one.host == other.host || one.host.hasSuffix(".\(other.host)"),
      one.port == other.port || isLoopback && one.host == other.host
    else { return false }
    let folder = other.path.hasSuffix("/") ? other.path : other.path + "/"
    return one.path == other.path || one.path.hasPrefix(folder)
  }

  private struct Parts {
    let scheme: String
    let host: String
    let port: String
    let path: String

    init?(_ uri: String) {
      let halves = uri.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, halves[1].hasPrefix("//") else { return nil }
      scheme = String(halves[0]).foldingASCII()
      let rest = halves[1].dropFirst(2)
      let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      host = Loopback.host(ofAuthority: authority).foldingASCII()
      port = String(authority.dropFirst(host.count))
      let path = String(rest.dropFirst(authority.count).prefix { $0 != "?" })
      guard !authority.contains("@"), !path.contains("/../"), !path.hasSuffix("/..") else {
        return nil
      }
      self.path = path.isEmpty ? "/" : path
    }
  }
}

extension GitHubRoutes {
  /// `GET /github/login/oauth/authorize` (GitHub, "Authorizing OAuth apps", step 1). A browser gets
  /// the pages of ``DialogRoutes``; see ``DialogRule``.
  ///
  /// GitHub's parameters: `client_id redirect_uri login scope state code_challenge
  /// code_challenge_method prompt`; `allow_signup` is ignored. The simulator's parameters:
  /// `person`, and `decision=cancel`.
  func authorize(_ request: Request) throws -> Response {
    let form = withoutScopes(suggesting(try RequestForm.query(request)))
    return try answer(form, nil) { form in try dialogs.begin(form, request) }
  }

  var dialogs: DialogRoutes {
    DialogRoutes(store: store, provider: .github) { try answer($0, $1) { _ in nil } }
  }

  /// Uses `login` as the hint: the login of an account at GitHub, or an address.
  private func suggesting(_ form: RequestForm) -> RequestForm {
    guard let login = form.filled("login"), form.filled("login_hint") == nil else { return form }
    let person = store.withState { state in
      state.persons.all.first {
        GitHubUser($0).login.foldingASCII().isSame(as: login.foldingASCII())
      }
    }
    return form.setting("login_hint", to: person?.id ?? login)
  }

  /// Removes the scopes of a GitHub App's request: only OAuth apps have the parameter.
  private func withoutScopes(_ form: RequestForm) -> RequestForm {
    guard let clientID = form.filled("client_id"),
      store.withState({ $0.gitHubPermissions(of: clientID) }) != nil
    else { return form }
    return form.setting("scope", to: "")
  }

  /// - Parameter begin: Returns a page for a valid request, or nil if the request needs none.
  private func answer(
    _ form: RequestForm, _ authenticated: LastSignIn?, begin: (RequestForm) throws -> Response?
  ) throws -> Response {
    let clientID = try form.require("client_id")
    let asked = form.filled("redirect_uri")
    let registered = store.withState { $0.clients[.github, clientID]?.redirectURIs } ?? []
    guard let address = try GitHubRedirect.address(asked, registered: registered) else {
      return answer(
        form, to: registered.first ?? "",
        error: "redirect_uri_mismatch",
        "The redirect_uri MUST match the registered callback URL for this application.")
    }
    guard form["decision"] != "cancel" else {
      return answer(
        form, to: address, error: "access_denied", "The user has denied your application access.")
    }
    let challenge = try CodeChallenge.read(form)
    if let page = try begin(form) { return page }
    let person = form.filled("person") ?? form.filled("login_hint")
    let now = store.now
    let code = try store.withState { state throws(SimulatorError) in
      let person = try state.persons.named(person)
      let asked = ApprovalRequest(
        provider: .github, clientID: clientID, person: person.id,
        scopes: state.gitHubScopes(form["scope"], client: clientID, person: person),
        redirectURI: address, codeChallenge: challenge)
      return try state.approve(asked, now: now).code
    }
    return answer(form, to: address, [("code", code)])
  }

  private func answer(
    _ form: RequestForm, to address: String, error code: String, _ description: String
  ) -> Response {
    let anchor = code.replacing("_", with: "-")
    return answer(
      form, to: address,
      [
        ("error", code), ("error_description", description),
        (
          "error_uri",
          "https://docs.github.com/apps/managing-oauth-apps/"
            + "troubleshooting-authorization-request-errors/#\(anchor)"
        ),
      ])
  }

  private func answer(
    _ form: RequestForm, to address: String, _ fields: [(name: String, value: String)]
  ) -> Response {
    var all = fields
    if let state = form["state"] { all.append(("state", state)) }
    store.withState { $0.faults.tokens[.github] }?.apply(toAnswer: &all)
    return AuthorizationAnswer(mode: .query, redirectURI: address, fields: all).response()
  }
}

extension SimulatorState {
  /// The scopes that a request gets: "For users who have authorized scopes for the application …,
  /// this step of the flow will automatically complete with the set of scopes the user has
  /// authorized". None for a GitHub App.
  fileprivate func gitHubScopes(
    _ asked: String?, client: String, person: Person
  ) -> Set<Scope> {
    guard gitHubPermissions(of: client) == nil else { return [] }
    let scopes = GitHubScopes.parse(asked)
    guard asked?.isEmpty ?? true else { return scopes }
    let key = consentKey(.github, client: client, person: person.id)
    return (try? standingConsent(key))?.scopes ?? []
  }
}

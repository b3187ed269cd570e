/// Why the handler shows a page instead of redirecting the browser: it can't be sure where to
/// redirect it, or whose browser it is.
struct HandlerFault: Error, Hashable, Sendable {
  /// Selects the page's text for the user.
  let kind: Kind
  /// For the operator of the app or the server, in English. Contains nothing from the request.
  let detail: String

  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The configuration of the app or the project is wrong.
    case setup
    /// The link is invalid or incomplete.
    case link
    case expired
    case otherBrowser
    case used
    /// The server can't answer now.
    case server
  }

  static func link(_ detail: String) -> HandlerFault { HandlerFault(kind: .link, detail: detail) }

  static func setup(_ detail: String) -> HandlerFault {
    HandlerFault(kind: .setup, detail: detail)
  }

  static func parameter(_ name: String) -> HandlerFault {
    link("The parameter \(name) is missing, malformed or given twice.")
  }

  static let apiKey = HandlerFault.setup(
    "apiKey names no project of this server. The app's configuration has another server's key, or "
      + "the key was deleted.")

  static let modeNotOffered = HandlerFault.setup(
    "authType has to be signInWithRedirect for an app. For a page it has to be signIn, link or "
      + "reauth, followed by ViaPopup or ViaRedirect.")

  static let tenant = HandlerFault.setup("This server has no tenants: leave tid out.")

  init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// A fault of the URL to which the browser should return in the end.
  init(_ fault: ReturnAddresses.Fault) {
    switch fault {
    case .form:
      self = .link("The app's bundle id, client id, app id or redirectUrl is malformed.")
    case .notAuthorized:
      self = .setup(
        "This app or address isn't registered in the project. Add the app with `gatehouse apps "
          + "add`, its client id with `gatehouse providers set google`, or the domain with "
          + "`gatehouse projects set PROJECT --domain …`, naming all of its domains.")
    }
  }

  init(_ fault: BrowserSignInFault) {
    switch fault {
    case .stateMissing: self = .link("The provider's answer has no state.")
    case .notIssued: self = .link("The state isn't one that this server issued.")
    case .expired: self.init(kind: .expired, detail: "The state is older than ten minutes.")
    case .otherBrowser:
      self.init(
        kind: .otherBrowser,
        detail:
          "The handler's cookie is missing or has another value. Either the sign-in began in "
          + "another browser, or the browser keeps no cookies, or the handler was opened under a "
          + "host name that is neither the public URL's nor an authorized domain of the project.")
    case .used: self.init(kind: .used, detail: "The provider's answer was sent a second time.")
    case .repeatedParameter: self = .link("The provider's answer repeats a parameter.")
    case .otherAddress:
      self = .link(
        "The answer arrived at another address than the redirect URI of this sign-in. Either the "
          + "address is configured at another provider, or an attacker exchanged two providers."
      )
    case .otherSession, .otherPurpose, .otherProvider, .answerMissing, .refusedByProvider:
      self = .link("The provider's answer doesn't belong to this sign-in.")
    }
  }
}

package import Foundation
import GatehouseProtocol
import GatehouseTokens

extension AccountsService {
  /// Begins a browser sign-in. Nothing is stored.
  ///
  /// - Returns: The sign-in, and the `state` for the provider. The `state` has four thirds of the
  ///   length of the addresses in it, and a few hundred bytes more.
  package func beginBrowserSignIn(
    _ start: BrowserSignIn.Start, in project: Project, now: Date
  ) throws -> (signIn: BrowserSignIn, state: String) {
    let signIn = BrowserSignIn(start, in: project.id, now: now)
    return (signIn, try browserSignIns.state(for: signIn))
  }

  /// The sign-in to which a provider's response belongs, for a response that came to this server.
  ///
  /// Doesn't check the browser: see ``checkBrowser(of:cookie:)``.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: the state is missing, expired or not issued by
  ///   this server, or its response goes to the app itself.
  package func browserSignIn(
    ofState state: String?, now: Date
  ) throws(AccountsError) -> BrowserSignIn {
    guard let state, !state.isEmpty else { throw .browserSignIn(.stateMissing) }
    let signIn = try browserSignIns.signIn(ofState: state, now: now)
    guard signIn.destination != nil else { throw .browserSignIn(.notIssued) }
    return signIn
  }

  /// Encrypts a form that a provider posted. Such a post comes from another site, so the browser sends
  /// no cookie with it. The browser then sends the encrypted form again, with the cookie.
  package func seal(postedForm form: [(name: String, value: String)], now: Date) throws -> String {
    try browserSignIns.posted(form, now: now)
  }

  /// Decrypts a form of ``seal(postedForm:now:)``.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued or expired.
  package func form(
    ofPosted text: String, now: Date
  ) throws(AccountsError) -> [(name: String, value: String)] {
    try browserSignIns.form(ofPosted: text, now: now)
  }

  /// Checks that the provider's response came with the browser that began the sign-in.
  ///
  /// - Parameter cookie: The value of the sign-in's cookie, as the browser sent it.
  /// - Throws: ``AccountsError/browserSignIn(_:)``: the response has arrived before, another browser
  ///   began the sign-in, or the browser kept no cookie.
  package func checkBrowser(of signIn: BrowserSignIn, cookie: String?) async throws {
    // "The client MUST implement CSRF protection for its redirection URI" (RFC 6749 §10.12). An
    // attacker who has the whole URL of a user's response, but not the user's browser, can't use it.
    guard let cookie,
      constantTimeEquals(Array(cookie.utf8), Array(signIn.cookieValue.reveal().utf8))
    else { throw AccountsError.browserSignIn(try await faultWithoutCookie(signIn)) }
  }

  /// Records that the browser came back. Possible once. Call ``checkBrowser(of:cookie:)`` before.
  ///
  /// - Parameter name: A name in the response that the provider sends only once. It is stored in the same
  ///   transaction, until an account has it: the app may never redeem the response.
  /// - Throws: ``AccountsError/browserSignIn(_:)``: the response has arrived before, in any browser.
  package func arrive(
    _ signIn: BrowserSignIn, keeping name: ArrivedName?, now: Date
  ) async throws {
    try await spend(.arrival, of: signIn) { transaction in
      if let name { try transaction.keep(name, in: signIn.project, now: now) }
    }
  }

  /// The fault of a response without the right cookie. The cookie ends with the sign-in. If the user
  /// reloads the page later, or restores the browser's tabs, the page must say that the sign-in is
  /// finished. It must not warn that another person may have sent the link.
  private func faultWithoutCookie(_ signIn: BrowserSignIn) async throws -> BrowserSignInFault {
    let arrival = signIn.singleUse(of: .arrival)
    return try await store.read { try $0.isSpent(arrival, in: signIn.project) }
      ? .used : .otherBrowser
  }

  /// Encrypts a provider's response for the app that began the sign-in.
  package func seal(_ answer: BrowserAnswer) throws -> String {
    try browserSignIns.text(for: answer)
  }

  /// - Parameter body: What belongs into the same transaction.
  func spend(
    _ step: BrowserSignIn.Step, of signIn: BrowserSignIn,
    and body: @escaping @Sendable (Transaction) throws -> Void = { _ in }
  ) async throws {
    let use = signIn.singleUse(of: step)
    try await store.write { transaction in
      guard try transaction.spend(use, in: signIn.project) else {
        throw AccountsError.browserSignIn(.used)
      }
      try body(transaction)
    }
  }
}

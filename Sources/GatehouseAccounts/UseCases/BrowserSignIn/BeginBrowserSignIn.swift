package import Foundation
import GatehouseModel
import GatehouseTokens

extension AccountsService {
  /// Begins a sign-in in a browser. Nothing is stored.
  ///
  /// - Returns: The sign-in and the `state` that goes to the provider, at most a few hundred bytes
  ///   beyond its addresses.
  package func beginBrowserSignIn(
    _ start: BrowserSignIn.Start, in project: Project, now: Date
  ) throws -> (signIn: BrowserSignIn, state: String) {
    let signIn = BrowserSignIn(start, in: project.id, now: now)
    return (signIn, try browserSignIns.state(for: signIn))
  }

  /// The sign-in to which a provider's answer belongs that came to this server.
  ///
  /// Doesn't look at the browser: see ``arrive(_:cookie:now:)``.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: no state, one that isn't ours or is expired, or one
  ///   whose answer goes to the app itself.
  package func browserSignIn(
    ofState state: String?, now: Date
  ) throws(AccountsError) -> BrowserSignIn {
    guard let state, !state.isEmpty else { throw .browserSignIn(.stateMissing) }
    let signIn = try browserSignIns.signIn(ofState: state, now: now)
    guard signIn.destination != nil else { throw .browserSignIn(.notIssued) }
    return signIn
  }

  /// Seals a form that a provider posted across sites, without the browser's cookie, so that the
  /// browser can bring it again with it.
  package func seal(postedForm form: [(name: String, value: String)], now: Date) throws -> String {
    try browserSignIns.posted(form, now: now)
  }

  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued or expired.
  package func form(
    ofPosted text: String, now: Date
  ) throws(AccountsError) -> [(name: String, value: String)] {
    try browserSignIns.form(ofPosted: text, now: now)
  }

  /// Takes note that the browser came back, once.
  ///
  /// - Parameter cookie: What the browser sent under the sign-in's name.
  /// - Throws: ``AccountsError/browserSignIn(_:)``: an answer that came before, from whichever browser,
  ///   or another browser than the one that began it.
  package func arrive(_ signIn: BrowserSignIn, cookie: String?, now: Date) async throws {
    // "The client MUST implement CSRF protection for its redirection URI" (RFC 6749 §10.12): who has
    // the whole URL of somebody else's answer, but not their browser, gets no further.
    guard let cookie,
      constantTimeEquals(Array(cookie.utf8), Array(signIn.cookieValue.reveal().utf8))
    else { throw AccountsError.browserSignIn(try await faultWithoutCookie(signIn)) }
    try await spend(.arrival, of: signIn)
  }

  /// The cookie ends with the sign-in: who reloads the page, or has the browser's tabs restored, is
  /// told that it is finished, rather than warned of somebody else's link.
  private func faultWithoutCookie(_ signIn: BrowserSignIn) async throws -> BrowserSignInFault {
    let arrival = signIn.singleUse(of: .arrival)
    return try await store.read { try $0.isSpent(arrival, in: signIn.project) }
      ? .used : .otherBrowser
  }

  /// Seals a provider's answer for the app that began the sign-in.
  package func seal(_ answer: BrowserAnswer) throws -> String {
    try browserSignIns.text(for: answer)
  }

  func spend(_ step: BrowserSignIn.Step, of signIn: BrowserSignIn) async throws {
    let use = signIn.singleUse(of: step)
    guard try await store.write({ try $0.spend(use, in: signIn.project) }) else {
      throw AccountsError.browserSignIn(.used)
    }
  }
}

package import Foundation
import GatehouseProtocol
import GatehouseTokens

extension AccountsService {
  /// Decrypts the response that the handler gave the app.
  ///
  /// Doesn't use it up: see ``redeem(_:sessionID:isLink:in:now:)``.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: not issued to the project, or expired.
  package func browserAnswer(
    sealed text: String, in project: Project, now: Date
  ) throws(AccountsError) -> BrowserAnswer {
    let answer = try browserSignIns.answer(text, now: now)
    guard answer.signIn.project == project.id else { throw .browserSignIn(.notIssued) }
    return answer
  }

  /// The sign-in of a response that the handler gave the app, to find the app again; nil if the
  /// response has expired or wasn't issued here.
  ///
  /// Doesn't authenticate the caller and uses nothing up, so the result must not authorize anything.
  package func browserSignIn(ofSealedAnswer text: String, now: Date) -> BrowserSignIn? {
    try? browserSignIns.answer(text, now: now).signIn
  }

  /// The sign-in of a response that the provider sent to the app itself.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: the state is missing, expired or not the
  ///   project's, or its response comes through this server.
  package func browserSignIn(
    ofOwnState state: String?, in project: Project, now: Date
  ) throws(AccountsError) -> BrowserSignIn {
    guard let state, !state.isEmpty else { throw .browserSignIn(.stateMissing) }
    let signIn = try browserSignIns.signIn(ofState: state, now: now)
    guard signIn.destination == nil, signIn.project == project.id else {
      throw .browserSignIn(.notIssued)
    }
    return signIn
  }

  /// Uses up a response before the provider is asked about it. If two requests present the same
  /// response, only one succeeds.
  ///
  /// - Parameters:
  ///   - sessionID: The raw session id, as the app kept it.
  ///   - isLink: Whether the identity is to be linked to the caller's account.
  /// - Returns: The permission to sign in with the response's nonce, which the server created.
  /// - Throws: ``AccountsError/browserSignIn(_:)``: the session or the purpose isn't the one with
  ///   which the sign-in began, or the response was used before.
  package func redeem(
    _ answer: BrowserAnswer, sessionID: String?, isLink: Bool, in project: Project, now: Date
  ) async throws -> AcceptedNonce {
    guard
      constantTimeEquals(
        BrowserSignIn.digest(ofSession: sessionID ?? ""), answer.signIn.sessionDigest)
    else { throw AccountsError.browserSignIn(.otherSession) }
    // A user who agreed to link an identity to one account didn't agree to sign in to another account
    // with it.
    guard answer.signIn.purpose.map({ ($0 == .link) == isLink }) ?? true else {
      throw AccountsError.browserSignIn(.otherPurpose)
    }
    try await spend(.redemption, of: answer.signIn)
    return .ofBrowserSignIn
  }
}

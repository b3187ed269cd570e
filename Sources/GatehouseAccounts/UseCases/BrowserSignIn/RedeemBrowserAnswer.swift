package import Foundation
import GatehouseModel
import GatehouseTokens

extension AccountsService {
  /// Opens what the handler gave the app.
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

  /// The sign-in to which an answer belongs that the handler gave the app, to find the app again; nil
  /// if it wasn't issued here or has expired.
  ///
  /// Neither looks at who asks nor uses anything up: it is no proof of anything.
  package func browserSignIn(ofSealedAnswer text: String, now: Date) -> BrowserSignIn? {
    try? browserSignIns.answer(text, now: now).signIn
  }

  /// The sign-in to which an answer belongs that the provider sent to the app itself.
  ///
  /// - Throws: ``AccountsError/browserSignIn(_:)``: no state, one that isn't the project's or is
  ///   expired, or one whose answer comes by way of this server.
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

  /// Uses an answer up, before the provider is asked about it: of two that bring the same, one does.
  ///
  /// - Parameters:
  ///   - sessionID: Raw, as the app kept it.
  ///   - isLink: Whether it is to be linked to an account that the caller proved to be theirs.
  /// - Returns: That the answer's nonce may be used: it was made here, for this sign-in.
  /// - Throws: ``AccountsError/browserSignIn(_:)``: another session, another purpose than
  ///   the sign-in was begun for, or used before.
  package func redeem(
    _ answer: BrowserAnswer, sessionID: String?, isLink: Bool, in project: Project, now: Date
  ) async throws -> AcceptedNonce {
    guard
      constantTimeEquals(
        BrowserSignIn.digest(ofSession: sessionID ?? ""), answer.signIn.sessionDigest)
    else { throw AccountsError.browserSignIn(.otherSession) }
    // Who agreed to link an identity to one account didn't agree to another being opened with it.
    guard answer.signIn.purpose.map({ ($0 == .link) == isLink }) ?? true else {
      throw AccountsError.browserSignIn(.otherPurpose)
    }
    try await spend(.redemption, of: answer.signIn)
    return .ofBrowserSignIn
  }
}

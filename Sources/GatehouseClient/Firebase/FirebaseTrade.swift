import Foundation
import GatehouseProtocol

/// Trades a session at Firebase for one of the server.
struct FirebaseTrade: Sendable {
  let core: ClientCore
  let session: HeldSession
  /// That of the Firebase project.
  let apiKey: String

  /// The tokens of the server's session.
  ///
  /// The token that Google's SDK held is tried first, because Google may be out of reach. Google is asked
  /// for another one if it has expired, or if the server refuses it: it works once, and a response may have
  /// been lost, or another process may have used it.
  func tokens() async throws(CallError) -> HeldTokens {
    let held = session.tokens.idToken
    if held.expiresAt > core.time.now {
      do throws(CallError) {
        return try await trade(held)
      } catch {
        guard case .refused(let refusal, _) = error, Self.concernsToken(refusal) else {
          throw error
        }
      }
    }
    do throws(CallError) {
      return try await trade(try await fresh())
    } catch {
      guard case .refused(let refusal, _) = error,
        ErrorCode(rawValue: refusal.code) == .missingOrInvalidNonce
      else { throw error }
      // Another process got the same token: those that Google issues within a second are alike.
      do { try await core.clock.sleep(for: 1) } catch { throw .cancelled }
      return try await trade(try await fresh())
    }
  }

  private func trade(_ token: IDToken) async throws(CallError) -> HeldTokens {
    let signIn = try await core.api.send(SignInWithFirebaseTokenCall(token: token.token))
    guard case .signedIn(let tokens) = signIn.answer else {
      // Nobody can be asked: a refresh happens at any time. The user stays signed in at Firebase.
      throw .refused(ServerRefusal(status: 200, code: "SECOND_FACTOR_REQUIRED"), joins: [])
    }
    return tokens
  }

  /// An ID token that Google issues now.
  private func fresh() async throws(CallError) -> IDToken {
    let server = core.configuration.formerFirebaseApp?.tokenServer ?? FormerFirebaseApp.tokenServer
    guard let server else { throw .badAnswer("Google's token endpoint has no URL.") }
    var api = core.api
    api.configuration.serverURL = server
    api.configuration.apiKey = apiKey
    return try await api.send(TokenCall(refreshToken: session.tokens.refreshToken)).idToken
  }

  private static func concernsToken(_ refusal: ServerRefusal) -> Bool {
    switch ErrorCode(rawValue: refusal.code) {
    case .tokenExpired, .invalidIDToken, .missingOrInvalidNonce: true
    default: false
    }
  }

  /// Why the session has ended, according to a refusal of Google or of the server; nil if a later attempt
  /// may succeed. A wrong configuration of the server signs nobody out.
  static func end(_ refusal: ServerRefusal) -> SessionEnd? {
    refusal.code == ErrorCode.invalidIDToken.rawValue ? nil : SessionEnd(refusalCode: refusal.code)
  }
}

/// `accounts:signInWithFirebaseToken`. The token works once.
struct SignInWithFirebaseTokenCall: ServerCall {
  var token: String

  var path: String { "v1/accounts:signInWithFirebaseToken" }

  var request: SignInWithFirebaseTokenRequest { SignInWithFirebaseTokenRequest(token: token) }

  func answer(_ response: SignInWithCustomTokenResponse) throws(WireError) -> NewableSignIn {
    NewableSignIn(
      answer: try FirstFactorAnswer(response.tokens, response.secondFactor),
      isNewUser: response.isNewUser)
  }
}

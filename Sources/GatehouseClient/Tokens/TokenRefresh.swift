import Foundation

/// One refresh: what other processes did is looked at first, then the server is asked.
struct TokenRefresh: Sendable {
  let user: SignedInUser
  /// The token that the asker holds and isn't content with.
  let seen: IDToken
  let isForced: Bool

  func run() async -> TokenFlight.Landing {
    do throws(ClientError) {
      return .success(try await token())
    } catch {
      return .failure(error)
    }
  }

  private func token() async throws(ClientError) -> IDToken {
    // Refreshed between the look at the token and now.
    let held = user.held.tokens.idToken
    if !held.isSameToken(as: seen), user.isGood(held) { return held }
    // A refusal of tokens that another process replaced meanwhile isn't the end: once more.
    for _ in 0..<2 {
      let session = try user.core.prepareRefresh(of: user)
      if !isForced, user.isGood(session.tokens.idToken) { return session.tokens.idToken }
      do {
        let tokens = try await user.core.api.send(
          TokenCall(refreshToken: session.tokens.refreshToken))
        return try keep(tokens, for: session)
      } catch let error as CallError {
        guard case .refused(let refusal, _) = error,
          let end = SessionEnd(refusalCode: refusal.code)
        else { throw ClientError(error) }
        if user.core.end(user, refused: session.tokens.idToken, cause: .sessionEnded(end)) {
          throw .sessionEnded(end)
        }
      } catch let error as ClientError {
        throw error
      } catch {
        throw .cancelled
      }
    }
    throw .network(
      NetworkFault(.other, detail: "Other processes changed the session all the time."))
  }

  private func keep(_ tokens: HeldTokens, for session: HeldSession) throws(ClientError) -> IDToken {
    guard tokens.idToken.subject == user.uid else {
      throw .badAnswer(detail: "The server answered with another person's token.")
    }
    user.core.time.learn(issuedAt: tokens.idToken.issuedAt)
    let updated = user.core.update(user, rotating: session.tokens.refreshToken) {
      $0.tokens = tokens
    }
    return updated.tokens.idToken
  }
}

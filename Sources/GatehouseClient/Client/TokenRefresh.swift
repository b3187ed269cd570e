import Foundation

/// One refresh: first checks what other processes stored, then asks the server.
struct TokenRefresh: Sendable {
  let user: SignedInUser
  /// The token that the caller has and wants to replace.
  let seen: IDToken
  let isForced: Bool

  func run() async -> TokenFlight.Landing {
    // The server has replaced the token when it responds: the new one has to be stored.
    await ExpiringActivity.during("Refreshing the session") {
      do throws(ClientError) {
        return .success(try await token())
      } catch {
        return .failure(error)
      }
    }
  }

  private func token() async throws(ClientError) -> IDToken {
    // Another refresh has ended since the caller read the token.
    let held = user.held.tokens
    if !held.idToken.isSameToken(as: seen), user.isGood(held) { return held.idToken }
    // If another process replaced the refused tokens meanwhile, the session hasn't ended: try once
    // more.
    for _ in 0..<2 {
      let session = try await user.core.prepareRefresh(of: user)
      if !isForced, user.isGood(session.tokens) { return session.tokens.idToken }
      do {
        return try await keep(try await exchange(session), for: session)
      } catch let error as CallError {
        guard case .refused(let refusal, _) = error,
          let end = session.tokens.firebaseAPIKey == nil
            ? SessionEnd(refusalCode: refusal.code) : FirebaseTrade.end(refusal)
        else { throw ClientError(error) }
        let isOver = await user.core.end(
          user, refused: session.tokens.idToken, cause: .sessionEnded(end))
        if isOver { throw .sessionEnded(end) }
      } catch let error as ClientError {
        throw error
      } catch {
        throw .cancelled
      }
    }
    throw .network(
      NetworkFault(.other, detail: "Other processes kept changing the session."))
  }

  private func exchange(_ session: HeldSession) async throws(CallError) -> HeldTokens {
    guard let apiKey = session.tokens.firebaseAPIKey else {
      return try await user.core.api.send(TokenCall(refreshToken: session.tokens.refreshToken))
    }
    return try await FirebaseTrade(core: user.core, session: session, apiKey: apiKey).tokens()
  }

  private func keep(
    _ tokens: HeldTokens, for session: HeldSession
  ) async throws(ClientError) -> IDToken {
    guard tokens.idToken.subject == user.uid else {
      throw .badAnswer(detail: "The server returned another account's token.")
    }
    user.core.time.learn(issuedAt: tokens.idToken.issuedAt)
    let updated = await user.core.update(user, rotating: session.tokens) {
      $0.tokens = tokens
    }
    return updated.tokens.idToken
  }
}

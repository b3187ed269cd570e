import Foundation
import GatehouseProtocol

/// Refreshes the ID token before it expires, so that no caller has to wait for a refresh.
///
/// Begins when a user signs in or a token is first asked for, not at launch: if the app needs no
/// token, no request is sent. Ends with the session and with the client.
extension ClientCore {
  /// Seconds before the token expires: one minute before it would be refreshed on demand.
  private static let leadSeconds = SignedInUser.marginSeconds + 60
  /// The pause after a first failed refresh; also the shortest wait, for tokens with a lifetime
  /// below `leadSeconds`.
  static let firstPauseSeconds = 30.0
  static let longestPauseSeconds = 16.0 * 60

  /// Schedules a refresh of the token of `session`, unless one is scheduled.
  func keepFresh(_ session: HeldSession) {
    let token = session.tokens.idToken
    let isNew = shared.withLock { shared in
      guard shared.configuration.refreshesProactively, !shared.isClosed,
        shared.machine.session != nil
      else { return false }
      if let known = shared.freshening, known.isSameToken(as: token) { return false }
      shared.freshening = token
      return true
    }
    guard isNew else { return }
    let left = token.expiresAt.timeIntervalSince(time.now) - Self.leadSeconds
    wait(max(left, Self.firstPauseSeconds), for: token, nextPause: Self.firstPauseSeconds)
  }

  private func wait(_ seconds: Double, for token: IDToken, nextPause: Double) {
    background.schedule(after: seconds, on: clock) { [weak self] in
      await self?.freshen(token, nextPause: nextPause)
    }
  }

  private func freshen(_ token: IDToken, nextPause: Double) async {
    guard let user = shared.withLock(\.user), user.held.tokens.idToken.isSameToken(as: token)
    else { return }
    do throws(ClientError) {
      _ = try await user.refreshed(from: token, forcing: true)
    } catch {
      switch error {
      case .cancelled, .sessionEnded, .notSignedIn: return
      default:
        let pause = min(nextPause * 2, Self.longestPauseSeconds)
        wait(nextPause, for: token, nextPause: pause)
      }
    }
  }
}

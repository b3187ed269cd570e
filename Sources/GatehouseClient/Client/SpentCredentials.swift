import Crypto
import Foundation
import Synchronization

/// Pending tokens of credentials that this client has already presented.
///
/// A provider's token with a nonce, and the result of a sign-in in a browser, can be used only
/// once: the server refuses the second use (`MISSING_OR_INVALID_NONCE`). Its first answer contains
/// a pending token that stands for the same credential. When the app links with the same credential
/// again, that pending token is sent. The answer then says what the app has to know (linked, or
/// which account has the identity) instead of "used".
///
/// In memory only: at most ``mostCredentials``, each for ``longestKeptSeconds`` seconds. Looked up by
/// a SHA-256 of the credential's own secrets, so that only a caller who has the credential gets the
/// token. Signing out forgets all of them.
///
/// Doesn't extend any lifetime: the server checks the pending token's age, and that meanwhile the
/// identity wasn't unlinked and the account wasn't deleted.
final class SpentCredentials: Sendable {
  private struct Entry {
    var key: [UInt8]
    var pendingToken: String
    var presentedAt: Date
  }

  private let clock: any ClientClock
  private let entries = Mutex<[Entry]>([])

  static let mostCredentials = 4
  /// The lifetime of the server's pending tokens.
  static let longestKeptSeconds: TimeInterval = 600

  init(clock: any ClientClock) { self.clock = clock }

  /// - Parameters:
  ///   - credential: As it was sent. It isn't kept if it is itself a pending token, or if it may be
  ///     sent again unchanged.
  ///   - pendingToken: The one in the server's answer.
  func keep(_ pendingToken: String?, of credential: IdentityProviderCredential) {
    guard let pendingToken, let key = Self.key(credential) else { return }
    let now = clock.now
    entries.withLock { entries in
      Self.drop(&entries, at: now)
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, pendingToken: pendingToken, presentedAt: now))
      entries.removeFirst(max(0, entries.count - Self.mostCredentials))
    }
  }

  /// - Returns: The stand-in for `credential` if it was presented before; nil otherwise.
  func standIn(for credential: IdentityProviderCredential) -> IdentityProviderCredential? {
    guard let key = Self.key(credential) else { return nil }
    let now = clock.now
    let pendingToken = entries.withLock { entries in
      Self.drop(&entries, at: now)
      return entries.first { $0.key == key }?.pendingToken
    }
    guard let pendingToken else { return nil }
    var standIn = credential
    standIn.pendingToken = pendingToken
    standIn.redirect = nil
    standIn.authorizationCode = nil
    return standIn
  }

  func forgetAll() { entries.withLock { $0 = [] } }

  /// If the clock was set back, an entry seems to be from the future: it is dropped, too.
  private static func drop(_ entries: inout [Entry], at now: Date) {
    entries.removeAll { entry in
      !(0..<longestKeptSeconds).contains(now.timeIntervalSince(entry.presentedAt))
    }
  }

  /// Nil for a credential that the server accepts more than once.
  private static func key(_ credential: IdentityProviderCredential) -> [UInt8]? {
    guard credential.pendingToken == nil else { return nil }
    var parts: [String]
    if let redirect = credential.redirect {
      parts = ["redirect", redirect.requestURI, redirect.sessionID]
    } else if let idToken = credential.idToken, let nonce = credential.rawNonce {
      parts = ["token", idToken, nonce, credential.nonceSessionID ?? ""]
    } else {
      return nil
    }
    parts.append(credential.provider.rawValue)
    var hash = SHA256()
    for part in parts {
      // The length first, so that no two lists of parts are the same bytes.
      hash.update(data: Array("\(part.utf8.count):".utf8))
      hash.update(data: Array(part.utf8))
    }
    return Array(hash.finalize())
  }
}

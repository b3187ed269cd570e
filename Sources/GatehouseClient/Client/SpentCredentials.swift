import Crypto
import Foundation
import GatehouseProtocol

/// Pending tokens of credentials that this client has already presented.
///
/// A provider's token with a nonce, and the result of a sign-in in a browser, can be used only
/// once: the server rejects the second use. The response to the first use contains a pending token
/// for the same identity. If the app then links with the same credential, the pending token is sent
/// in its place. So the identity is linked, or the error says that another account has it, and not
/// that the credential was used.
///
/// Kept in memory only: at most `mostCredentials`, each for `longestKeptSeconds` seconds. The key is a
/// SHA-256 of the credential's own secrets, so that only a caller who has the credential gets the
/// token. Signing out removes all of them.
///
/// Doesn't extend any lifetime: the server checks the pending token's age, and that meanwhile the
/// identity wasn't unlinked, the account wasn't deleted, and its tokens weren't revoked.
final class SpentCredentials: Sendable {
  private struct Entry {
    var key: [UInt8]
    var pendingToken: String
    var presentedAt: Date
  }

  private let clock: any ClientClock
  private let entries = Locked<[Entry]>([])

  static let mostCredentials = 4
  /// The lifetime of the server's pending tokens.
  static let longestKeptSeconds: TimeInterval = 600

  init(clock: any ClientClock) { self.clock = clock }

  /// - Parameters:
  ///   - pendingToken: The pending token in the server's response.
  ///   - credential: As it was sent. Nothing is kept if it contains a pending token itself, or if it
  ///     may be sent again unchanged.
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

  /// - Returns: If `credential` was presented before, a credential with its pending token; otherwise
  ///   nil.
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

  /// Removes entries that are too old, and entries from the future: then the clock was set back.
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

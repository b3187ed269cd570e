import Foundation
import GatehouseProtocol

/// The authorization code of Apple's sheet, kept after a revocation that failed. A retry within four
/// minutes shows no second sheet. Kept in memory only: the code gives access to the user's tokens at
/// Apple.
final class KeptCode: Sendable {
  /// Less than the five minutes for which Apple's code is valid.
  private static let life: TimeInterval = 4 * 60

  private struct Held {
    let uid: String
    let code: String
    let until: Date
  }

  private let held = Locked<Held?>(nil)

  func keep(_ code: String, for uid: String, now: Date) {
    let until = now.addingTimeInterval(Self.life)
    held.withLock { $0 = Held(uid: uid, code: code, until: until) }
  }

  /// Takes the code out. Returns it only if it belongs to this account and is still valid.
  func take(for uid: String, now: Date) -> String? {
    held.withLock { held in
      defer { held = nil }
      guard let held, held.uid.utf8.elementsEqual(uid.utf8), now < held.until else { return nil }
      return held.code
    }
  }

  func forget() { held.withLock { $0 = nil } }
}

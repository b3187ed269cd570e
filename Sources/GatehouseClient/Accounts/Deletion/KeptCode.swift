import Foundation
import Synchronization

/// The code of an Apple sheet that wasn't spent, because the network failed meanwhile. Trying again
/// within its life shows no second sheet. In memory alone: it is worth an account at Apple.
final class KeptCode: Sendable {
  /// Apple's code lives for five minutes.
  private static let life: TimeInterval = 4 * 60

  private struct Held {
    let uid: String
    let code: String
    let until: Date
  }

  private let held = Mutex<Held?>(nil)

  func keep(_ code: String, for uid: String, now: Date) {
    let until = now.addingTimeInterval(Self.life)
    held.withLock { $0 = Held(uid: uid, code: code, until: until) }
  }

  /// Takes the code out, if it is this account's and still good.
  func take(for uid: String, now: Date) -> String? {
    held.withLock { held in
      defer { held = nil }
      guard let held, held.uid.utf8.elementsEqual(uid.utf8), now < held.until else { return nil }
      return held.code
    }
  }

  func forget() { held.withLock { $0 = nil } }
}

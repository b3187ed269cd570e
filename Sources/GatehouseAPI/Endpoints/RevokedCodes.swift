import Crypto
import Foundation
import GatehouseModel
import Synchronization

/// The authorization codes whose tokens were revoked recently, each with the account that sent it.
///
/// They are kept in memory, and their number is limited: their only use is that a client gets no
/// error when it repeats its request.
final class RevokedCodes: Sendable {
  /// The lifetime of Apple's codes: five minutes, in seconds.
  private static let lifetimeSeconds: TimeInterval = 300
  private static let maximumCount = 1024

  struct Use: Hashable, Sendable {
    /// The SHA-256 of the code; the code itself isn't kept.
    private let digest: [UInt8]
    private let project: ProjectID
    private let uid: UID

    init(code: String, project: ProjectID, uid: UID) {
      digest = Array(SHA256.hash(data: Array(code.utf8)))
      self.project = project
      self.uid = uid
    }
  }

  private let uses = Mutex<[(use: Use, at: Date)]>([])

  func contains(_ use: Use, now: Date) -> Bool {
    uses.withLock { uses in
      uses.contains { $0.use == use && now.timeIntervalSince($0.at) < Self.lifetimeSeconds }
    }
  }

  func insert(_ use: Use, now: Date) {
    uses.withLock { uses in
      uses.removeAll { now.timeIntervalSince($0.at) >= Self.lifetimeSeconds }
      if uses.count >= Self.maximumCount { uses.removeFirst() }
      uses.append((use, now))
    }
  }
}

package import Foundation

/// What a deletion that failed half-way had done, kept in the session's store.
///
/// Bound to the account. A revocation counts as long as nobody has signed in by that provider
/// since: that makes a new agreement, which has to be revoked again.
package struct DeletionRecord: Codable, Sendable, Hashable {
  package struct Revocation: Codable, Sendable, Hashable {
    package var provider: Provider
    /// By the server's clock.
    package var at: Date
  }

  private static let currentVersion = 1
  /// By so much the server's time can be misjudged here: the revocation itself counts as a sign-in
  /// there. Seconds.
  private static let toleranceSeconds = 5.0

  package private(set) var version = DeletionRecord.currentVersion
  package var uid: String
  package var revocations: [Revocation] = []

  package init(uid: String) { self.uid = uid }

  /// - Returns: Nil for what isn't this account's, or can't be read: then everything is done anew,
  ///   which is safe.
  package init?(_ data: Data?, for uid: String) {
    guard let data, let record = try? JSONDecoder().decode(DeletionRecord.self, from: data),
      record.version == Self.currentVersion, record.uid.utf8.elementsEqual(uid.utf8)
    else { return nil }
    self = record
  }

  package var data: Data? { try? JSONEncoder().encode(self) }

  /// The providers that are revoked and weren't signed in to since, in order.
  package func revoked(consideringSignIn token: IDToken) -> [Provider] {
    revocations.compactMap {
      let isUndone =
        token.signInProvider == $0.provider
        && token.authenticatedAt > $0.at.addingTimeInterval(Self.toleranceSeconds)
      return isUndone ? nil : $0.provider
    }
  }

  package mutating func add(_ provider: Provider, at time: Date) {
    remove(provider)
    revocations.append(Revocation(provider: provider, at: time))
  }

  package mutating func remove(_ provider: Provider) {
    revocations.removeAll { $0.provider == provider }
  }
}

extension AccountManager {
  /// Beside the session's, which tells clients on one store apart.
  var deletionRecordKey: String { "deletion-of-" + client.core.storeKey }

  func deletionRecord(for uid: String) -> DeletionRecord {
    let data = (try? client.store.read(deletionRecordKey)) ?? nil
    return DeletionRecord(data, for: uid) ?? DeletionRecord(uid: uid)
  }

  /// Where the store fails, the next call does again what is done: a second sheet, no harm.
  func keep(_ record: DeletionRecord) {
    guard let data = record.data, !record.revocations.isEmpty else {
      try? client.store.remove(deletionRecordKey)
      return
    }
    try? client.store.write(data, for: deletionRecordKey)
  }

  /// The person agreed anew.
  func forgetRevocation(of provider: Provider, for uid: String) {
    var record = deletionRecord(for: uid)
    guard record.revocations.contains(where: { $0.provider == provider }) else { return }
    record.remove(provider)
    keep(record)
  }
}

package import Foundation

/// The revocations that a failed deletion had completed, kept in the session's store.
///
/// The record belongs to one account. A recorded revocation counts until the user signs in, links or
/// re-authenticates with that provider again: this creates a new authorization, which has to be
/// revoked, too.
package struct DeletionRecord: Codable, Sendable, Hashable {
  package struct Revocation: Codable, Sendable, Hashable {
    package var provider: Provider
    /// By the server's clock.
    package var at: Date
  }

  private static let currentVersion = 1
  /// Tolerance for the estimated server time, in seconds: the sign-in that belongs to the
  /// revocation must not count as a later one.
  private static let toleranceSeconds = 5.0

  package private(set) var version = DeletionRecord.currentVersion
  package var uid: String
  package var revocations: [Revocation] = []

  package init(uid: String) { self.uid = uid }

  /// - Returns: Nil if the record belongs to another account or can't be read. Then the revocations
  ///   are repeated, which does no harm.
  package init?(_ data: Data?, for uid: String) {
    guard let data, let record = try? JSONDecoder().decode(DeletionRecord.self, from: data),
      record.version == Self.currentVersion, record.uid.utf8.elementsEqual(uid.utf8)
    else { return nil }
    self = record
  }

  package var data: Data? { try? JSONEncoder().encode(self) }

  /// The providers that are revoked, in the order of their revocation. A provider isn't in the list
  /// if the user signed in with it after its revocation.
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

extension ClientCore {
  /// The key of the record in the store. It contains the session's key, so that several clients can
  /// share a store.
  var deletionRecordKey: String { "deletion-of-" + storeKey }

  func deletionRecord(for uid: String) -> DeletionRecord {
    let data = (try? store.read(deletionRecordKey)) ?? nil
    return DeletionRecord(data, for: uid) ?? DeletionRecord(uid: uid)
  }

  /// If the store fails, the next call repeats the revocations: it shows a second sheet, which does
  /// no harm.
  func keep(_ record: DeletionRecord) {
    guard let data = record.data, !record.revocations.isEmpty else {
      try? store.remove(deletionRecordKey)
      return
    }
    try? store.write(data, for: deletionRecordKey)
  }

  /// Called when the user authorized the app again.
  ///
  /// The ID token shows only the last sign-in, which may have been with another provider.
  func forgetRevocation(of provider: Provider, for uid: String) {
    var record = deletionRecord(for: uid)
    guard record.revocations.contains(where: { $0.provider == provider }) else { return }
    record.remove(provider)
    keep(record)
  }
}

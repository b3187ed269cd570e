package import Foundation

/// The revocations of a deletion that isn't complete, kept in the session's store.
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
  /// The revocations that were begun, and whose result isn't known: the app was killed, or the response was
  /// lost. The next deletion repeats them.
  private var begun: [Revocation] = []

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
    Self.standing(revocations, token)
  }

  /// The providers that are revoked, and those at which a revocation was begun.
  package func maybeRevoked(consideringSignIn token: IDToken) -> [Provider] {
    Self.standing(revocations + begun, token)
  }

  private static func standing(_ revocations: [Revocation], _ token: IDToken) -> [Provider] {
    revocations.compactMap {
      let isUndone =
        token.signInProvider == $0.provider
        && token.authenticatedAt > $0.at.addingTimeInterval(toleranceSeconds)
      return isUndone ? nil : $0.provider
    }
  }

  package var isEmpty: Bool { revocations.isEmpty && begun.isEmpty }

  package func names(_ provider: Provider) -> Bool {
    (revocations + begun).contains { $0.provider == provider }
  }

  /// Call it before a revocation.
  package mutating func begin(_ provider: Provider, at time: Date) {
    begun = begun.filter { $0.provider != provider }
    begun.append(Revocation(provider: provider, at: time))
  }

  /// Call it if nothing was revoked after all.
  ///
  /// - Returns: Whether a revocation was begun.
  @discardableResult
  package mutating func abandon(_ provider: Provider) -> Bool {
    let wasBegun = begun.contains { $0.provider == provider }
    begun.removeAll { $0.provider == provider }
    return wasBegun
  }

  package mutating func add(_ provider: Provider, at time: Date) {
    remove(provider)
    revocations.append(Revocation(provider: provider, at: time))
  }

  package mutating func remove(_ provider: Provider) {
    revocations.removeAll { $0.provider == provider }
    abandon(provider)
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
    guard let data = record.data, !record.isEmpty else { return forgetDeletionRecord() }
    try? store.write(data, for: deletionRecordKey)
  }

  func forgetDeletionRecord() { try? store.remove(deletionRecordKey) }

  /// Called when the user authorized the app again.
  ///
  /// The ID token shows only the last sign-in, which may have been with another provider.
  func forgetRevocation(of provider: Provider, for uid: String) {
    var record = deletionRecord(for: uid)
    guard record.names(provider) else { return }
    record.remove(provider)
    keep(record)
  }

  /// Called when the provider says that the app is authorized: a revocation that was begun didn't happen.
  func forgetBegunRevocation(of provider: Provider, for uid: String) {
    var record = deletionRecord(for: uid)
    if record.abandon(provider) { keep(record) }
  }
}

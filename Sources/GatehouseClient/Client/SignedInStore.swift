import Foundation
package import GatehouseProtocol

extension ClientConfiguration {
  /// Stores a session in the place and form in which a client of this configuration reads it at launch. For
  /// tests and previews, which begin with a user who is signed in.
  ///
  /// - Throws: ``StoreFault`` if the tokens can't be read, and what the store throws.
  package func store(
    _ tokens: SessionTokens, of user: UserInfo, in store: any SessionStore
  ) throws(StoreFault) {
    guard let held = try? HeldTokens(tokens) else {
      throw StoreFault(.unwritable, detail: "The ID token can't be read.")
    }
    let session = HeldSession(tokens: held, snapshot: UserSnapshot(AccountInfo(user)))
    try store.write(
      try StoredSession(session, serverTimeOffset: 0).data(), for: sessionStoreKey)
  }
}

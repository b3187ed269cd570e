import GatehouseClient
import GatehouseProtocol

extension Auth {
  /// The keychain access group in which the session is shared. Nil if it isn't shared.
  public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

  /// Shares the session with the apps of `accessGroup`: the user who is signed in there is then
  /// also this app's ``currentUser``. Nil limits the session to this app again.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` for a group on a platform without a keychain.
  public func useUserAccessGroup(_ accessGroup: String?) throws {
    _ = try client(inGroup: accessGroup)
    changeClient { $0.userAccessGroup = accessGroup }
  }

  /// The user who is signed in in `accessGroup`, or in this app alone for nil. Doesn't sign that
  /// user in here.
  ///
  /// - Throws: As ``useUserAccessGroup(_:)``, and if the keychain can't be read.
  public func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? {
    let client = try client(inGroup: accessGroup)
    try asAuthErrors { () throws(ClientError) in _ = try client.load() }
    return client.currentUser.map { User(person: $0, appName: appName) }
  }

  private func client(inGroup accessGroup: String?) throws -> AuthClient {
    let emulator = state.withLock { $0.emulator }
    return try asAuthErrors { () throws(ClientError) in
      do throws(StoreFault) {
        return try maker.client(emulator: emulator, accessGroup: accessGroup)
      } catch {
        throw .store(error)
      }
    }
  }
}

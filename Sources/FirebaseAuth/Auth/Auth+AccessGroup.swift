import GatehouseClient
import Synchronization

extension Auth {
  /// The keychain's access group that the session is shared in.
  public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

  /// Shares the session with the apps of `accessGroup`: who is signed in there is signed in here,
  /// from the next ``currentUser`` on. Nil is this app alone again.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` on platforms without a keychain, for a group.
  public func useUserAccessGroup(_ accessGroup: String?) throws {
    _ = try client(inGroup: accessGroup)
    changeClient { $0.userAccessGroup = accessGroup }
  }

  /// Who is signed in in `accessGroup`, which doesn't sign them in here. Nil is this app alone.
  ///
  /// - Throws: As ``useUserAccessGroup(_:)``, and where the keychain can't be read.
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

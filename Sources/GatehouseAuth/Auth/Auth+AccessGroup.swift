import GatehouseClient
import GatehouseProtocol

extension Auth {
  /// The keychain access group in which the session is shared. Nil if it isn't shared.
  public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

  /// Shares the session with the apps of `accessGroup`: the user who is signed in there is then
  /// also this app's ``currentUser``. If no user is, this app's user is signed in there from now on, without a
  /// request. This app's own session is removed. Later launches use the group, too.
  ///
  /// Nil limits the session to this app again: no user is signed in then, and the group's session stays.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` for a group on a platform without a keychain, for a group that the
  ///   app's entitlements don't have, and if the keychain can't be read. Then nothing changes; but if the device is
  ///   locked, the group is used as soon as it was unlocked.
  public func useUserAccessGroup(_ accessGroup: String?) throws {
    let present = userAccessGroup
    // At each launch, an app may name the group that is used already.
    if accessGroup != nil, accessGroup == present {
      guard case .loading = client.state else { return }
      return try asAuthErrors { () throws(ClientError) in _ = try client.load() }
    }
    let next = try client(inGroup: accessGroup)
    try asAuthErrors { () throws(ClientError) in
      guard accessGroup != nil else { return }
      do throws(ClientError) {
        if present == nil { try client.moveSession(to: next) }
        try next.load()
      } catch {
        var isLocked = false
        if case .store(let fault) = error { isLocked = fault.kind == .locked }
        state.withLock { $0.awaitedGroup = isLocked ? accessGroup : nil }
        throw error
      }
    }
    maker.remember(group: accessGroup)
    changeClient { state in
      state.userAccessGroup = accessGroup
      state.awaitedGroup = nil
    }
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

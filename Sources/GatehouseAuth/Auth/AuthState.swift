package import GatehouseClient
import GatehouseProtocol

/// The mutable state of an ``Auth``, protected by one lock.
struct AuthState: ~Copyable {
  /// The server that replaces the configured one.
  var emulator: Emulator?
  var userAccessGroup: String?
  /// A group that the app wants to use as soon as the keychain can be read.
  var awaitedGroup: String?
  /// Created at the first use, so that an emulator can be chosen before the store is read.
  var client: AuthClient?
  var observation: SessionObservation?
  var occasions: StoreOccasions?
  var activity: AppActivity?
  /// The token of the last notification.
  var postedToken: String?
  /// The object that represents the client's current user.
  var user: User?
  var settings: AuthSettings? = AuthSettings()
  var languageCode: String?
  var tenantID: String?
  var customAuthDomain: String?
  var sharesAcrossDevices = false

  init(userAccessGroup: String? = nil) { self.userAccessGroup = userAccessGroup }
}

/// A server on a developer's machine or network.
package struct Emulator: Sendable, Hashable {
  var host: String
  var port: Int
}

/// Creates the clients of an ``Auth``.
package protocol ClientMaking: Sendable {
  /// - Parameters:
  ///   - emulator: Replaces the configured server.
  ///   - accessGroup: A keychain access group.
  /// - Throws: ``StoreFault`` for a group on a platform that has none.
  func client(emulator: Emulator?, accessGroup: String?) throws(StoreFault) -> AuthClient
  /// The access group of the last launch. Nil if there was none, and maybe before the device is first unlocked.
  func rememberedGroup() -> String?
  func remember(group: String?)
}

extension Auth {
  /// The client behind this `Auth`. Before this returns, the store is read if it isn't locked.
  package var client: AuthClient {
    state.withLock { state in
      if let client = state.client { return client }
      let client: AuthClient
      do throws(StoreFault) {
        client = try maker.client(emulator: state.emulator, accessGroup: state.userAccessGroup)
      } catch {
        // `useUserAccessGroup` has already checked that a client can be created for the group.
        client = UnavailableClient.make(saying: error.detail)
      }
      client.languageCode = state.languageCode
      state.client = client
      // The client calls this on its own threads: only hand the change over to the main queue.
      state.observation = client.observe { [weak self] change in
        MainQueue.async { [weak self] in
          if let cause = change.cause { self?.report(cause) }
          self?.tell(change.kinds)
        }
      }
      if client.configuration.listensForChanges {
        state.activity = AppActivity { [weak client] in client?.listenForChanges() }
      }
      if case .loading = client.state {
        // If the store is locked, `currentUser` reads it again.
        do throws(ClientError) { try client.load() } catch {}
      }
      return client
    }
  }

  /// Applies `change`, which chooses the server or the access group. Replaces the client if there
  /// is one.
  func changeClient(_ change: (inout AuthState) -> Void) {
    let former: SessionObservation? = state.withLock { state in
      change(&state)
      defer {
        state.client = nil
        state.observation = nil
        state.activity = nil
        state.user = nil
      }
      return state.observation
    }
    guard let former else { return }
    former.cancel()
    // Observes the new client, which reports its signed-in user.
    _ = client
  }

  /// The object that represents `person`: always the same one for the signed-in user.
  func user(for person: SignedInUser) -> User {
    let client = self.client
    return state.withLock { state in
      if let user = state.user, user.person === person { return user }
      let user = User(person: person, appName: appName)
      if client.currentUser === person { state.user = user }
      return user
    }
  }

  /// Releases the object of a user who is no longer signed in.
  func forgetFormerUser() {
    let client = self.client
    state.withLock { state in
      if let user = state.user, client.currentUser !== user.person { state.user = nil }
    }
  }
}

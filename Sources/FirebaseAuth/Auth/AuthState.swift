package import GatehouseClient
import Synchronization

/// What changes in an ``Auth``, and its lock holds together.
struct AuthState: ~Copyable {
  /// The server that takes the place of the configured one.
  var emulator: Emulator?
  var userAccessGroup: String?
  /// Made when it is first needed, so that an emulator can be chosen before the store is read.
  var client: AuthClient?
  var observation: SessionObservation?
  var unlock: DeviceUnlock?
  /// The token of which the notification told last.
  var postedToken: String?
  /// The object that stands for the client's current user.
  var user: User?
  var settings: AuthSettings? = AuthSettings()
  var languageCode: String?
  var tenantID: String?
  var customAuthDomain: String?
  var sharesAcrossDevices = false

  init() {}
}

/// A server on a developer's machine or network.
package struct Emulator: Sendable, Hashable {
  var host: String
  var port: Int
}

/// Makes the clients of an ``Auth``.
package protocol ClientMaking: Sendable {
  /// - Parameters:
  ///   - emulator: The server, instead of the configured one.
  ///   - accessGroup: Of the keychain.
  /// - Throws: ``StoreFault`` where there are no access groups.
  func client(emulator: Emulator?, accessGroup: String?) throws(StoreFault) -> AuthClient
}

extension Auth {
  /// The client that this is a facade of. Its store is read before this returns.
  package var client: AuthClient {
    state.withLock { state in
      if let client = state.client { return client }
      let client: AuthClient
      do throws(StoreFault) {
        client = try maker.client(emulator: state.emulator, accessGroup: state.userAccessGroup)
      } catch {
        // Groups were tried when they were set.
        client = UnavailableClient.make(saying: error.detail)
      }
      client.languageCode = state.languageCode
      state.client = client
      // All that is done on the client's threads is to hand over to the main queue.
      state.observation = client.observe { [weak self] change in
        MainQueue.async { [weak self] in self?.tell(change.kinds) }
      }
      if case .loading = client.state {
        // A locked store is read by `currentUser` again.
        do throws(ClientError) { try client.load() } catch {}
      }
      return client
    }
  }

  /// Lets `change` say where the client comes from, and makes another if there was one.
  func changeClient(_ change: (inout AuthState) -> Void) {
    let former: SessionObservation? = state.withLock { state in
      change(&state)
      defer {
        state.client = nil
        state.observation = nil
        state.user = nil
      }
      return state.observation
    }
    guard let former else { return }
    former.cancel()
    // Observes the new one, which tells who is signed in there.
    _ = client
  }

  /// The object that stands for `person`: always the same for who is signed in.
  func user(for person: SignedInUser) -> User {
    let client = self.client
    return state.withLock { state in
      if let user = state.user, user.person === person { return user }
      let user = User(person: person, appName: appName)
      if client.currentUser === person { state.user = user }
      return user
    }
  }

  /// Lets go of the object of somebody who isn't signed in any more.
  func forgetFormerUser() {
    let client = self.client
    state.withLock { state in
      if let user = state.user, client.currentUser !== user.person { state.user = nil }
    }
  }
}

public import Observation

import Synchronization

/// The flows of an app's account pages: signing in by a device's sheets, linking, deleting the
/// account, the check at launch.
///
/// One per ``AuthClient``. It shows one sheet at a time, makes the nonces, and leaves the session to
/// the client: nothing here makes a request before the app asks for something.
///
/// SwiftUI can observe it. It belongs to no actor: what changes it may come on any thread, and its
/// functions run where they are called.
public final class AccountManager: Sendable {
  public let client: AuthClient
  public let devices: AccountDevices
  /// Asked when a project wants the person's consent. Without it, the page's own prompt is asked
  /// (GatehouseUI has one); without either, such a sign-in fails with
  /// ``ClientError/consentRequired(joins:updated:)``.
  public let consentPrompt: ConsentPrompt?

  let turn = Turn()
  /// Of a deletion that failed.
  let keptCode = KeptCode()
  private let registrar = ObservationRegistrar()
  private let observation = Mutex<SessionObservation?>(nil)

  public init(
    client: AuthClient, devices: AccountDevices = AccountDevices(),
    consentPrompt: ConsentPrompt? = nil
  ) {
    self.client = client
    self.devices = devices
    self.consentPrompt = consentPrompt
    let handle = client.observe { [weak self] _ in self?.sessionChanged() }
    observation.withLock { $0 = handle }
  }

  /// Who is signed in, as pages distinguish it. The latest, without waiting.
  public var authState: AuthenticationState {
    registrar.access(self, keyPath: \.authState)
    return AuthenticationState(client.state)
  }

  private func sessionChanged() {
    registrar.withMutation(of: self, keyPath: \.authState) {}
  }
}

extension AccountManager: Observable {}

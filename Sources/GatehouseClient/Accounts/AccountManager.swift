public import Observation

import Synchronization

/// The flows of an app's account pages: signing in with a device's sheets, linking, deleting the
/// account, and the check at launch.
///
/// Create one for each ``AuthClient``. The manager shows one sheet at a time and creates the nonces.
/// The client keeps the session. While the app is active and a user is signed in, the manager listens for
/// what happens to the account elsewhere, unless ``ClientConfiguration/listensForChanges`` is false.
/// Otherwise it sends a request only when the app calls one of its functions.
///
/// SwiftUI can observe it. It isn't bound to an actor: changes may be reported on any thread, and
/// its functions run on the caller's executor.
public final class AccountManager: Sendable {
  public let client: AuthClient
  public let devices: AccountDevices
  /// Called when a project requires the user's consent. If it is nil, the prompt of the call is used:
  /// GatehouseUI's pages pass one. Without either, the call fails with
  /// ``ClientError/consentRequired(joins:updated:)``.
  public let consentPrompt: ConsentPrompt?

  let turn = Turn()
  /// The authorization code of a deletion that failed.
  let keptCode = KeptCode()
  private let registrar = ObservationRegistrar()
  private let observation = Mutex<SessionObservation?>(nil)
  private let activity: AppActivity?

  public init(
    client: AuthClient, devices: AccountDevices = AccountDevices(),
    consentPrompt: ConsentPrompt? = nil
  ) {
    self.client = client
    self.devices = devices
    self.consentPrompt = consentPrompt
    activity =
      client.configuration.listensForChanges
      ? AppActivity { [weak client] in client?.listenForChanges() } : nil
    let handle = client.observe { [weak self] _ in self?.sessionChanged() }
    observation.withLock { $0 = handle }
  }

  /// Whether a user is signed in, in the states that pages distinguish. Returns the latest state and
  /// sends no request.
  public var authState: AuthenticationState {
    registrar.access(self, keyPath: \.authState)
    return AuthenticationState(client.state)
  }

  /// Whether a flow is in progress: a sign-in, linking, disconnecting or deleting the account.
  ///
  /// Disable a page's buttons while it is true: a second flow fails with ``AccountError/busy``.
  /// ``authState`` changes shortly before the flow that signs a user in or out ends.
  public var isBusy: Bool {
    registrar.access(self, keyPath: \.isBusy)
    return turn.isInProgress
  }

  /// Runs one flow, and tells observers of ``isBusy`` when it begins and ends.
  ///
  /// - Throws: `refusal` if another flow is in progress.
  func inTurn<Result: Sendable, Failure: Error>(
    or refusal: Failure, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    defer { registrar.withMutation(of: self, keyPath: \.isBusy) {} }
    return try await turn.take(or: refusal) { () async throws(Failure) -> Result in
      registrar.withMutation(of: self, keyPath: \.isBusy) {}
      return try await body()
    }
  }

  private func sessionChanged() {
    registrar.withMutation(of: self, keyPath: \.authState) {}
  }
}

extension AccountManager: Observable {}

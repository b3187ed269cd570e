import Dispatch
import GatehouseProtocol
public import Observation

#if canImport(Combine)
  public import Combine
#endif

/// The flows of an app's account pages: signing in with a device's sheets, linking, deleting the
/// account, and the check at launch.
///
/// Create one for each ``AuthClient``. The manager shows one sheet at a time and creates the nonces.
/// The client keeps the session. While the app is active and a user is signed in, the manager listens for
/// what happens to the account elsewhere, unless ``ClientConfiguration/listensForChanges`` is false.
/// Otherwise it sends a request only when the app calls one of its functions.
///
/// SwiftUI can observe it: without a property wrapper since iOS 17, and with `@ObservedObject` or
/// `@StateObject` on every system. It isn't bound to an actor: Observation may report changes on any
/// thread, and its functions run on the caller's executor.
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
  /// An `ObservationRegistrar`, if the system has Observation.
  private let registrar: any Sendable
  private let observation = Locked<SessionObservation?>(nil)
  private let activity: AppActivity?

  public init(
    client: AuthClient, devices: AccountDevices = AccountDevices(),
    consentPrompt: ConsentPrompt? = nil
  ) {
    self.client = client
    self.devices = devices
    self.consentPrompt = consentPrompt
    if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
      registrar = ObservationRegistrar()
    } else {
      registrar = ()
    }
    activity =
      client.configuration.listensForChanges
      ? AppActivity { [weak client] in client?.listenForChanges() } : nil
    let handle = client.observe { [weak self] _ in self?.sessionChanged() }
    observation.withLock { $0 = handle }
  }

  /// Whether a user is signed in, in the states that pages distinguish. Returns the latest state and
  /// sends no request.
  public var authState: AuthenticationState {
    willRead(\.authState)
    return AuthenticationState(client.state)
  }

  /// Whether a flow is in progress: a sign-in, linking, disconnecting or deleting the account.
  ///
  /// Disable a page's buttons while it is true: a second flow fails with ``AccountError/busy``.
  /// ``authState`` changes shortly before the flow that signs a user in or out ends.
  public var isBusy: Bool {
    willRead(\.isBusy)
    return turn.isInProgress
  }

  /// Runs one flow, and tells observers of ``isBusy`` when it begins and ends.
  ///
  /// - Throws: `refusal` if another flow is in progress.
  func inTurn<Result: Sendable, Failure: Error>(
    or refusal: Failure, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    defer { hasChanged(\.isBusy) }
    return try await turn.take(or: refusal) { () async throws(Failure) -> Result in
      hasChanged(\.isBusy)
      return try await body()
    }
  }

  private func sessionChanged() { hasChanged(\.authState) }

  private func willRead(_ property: KeyPath<AccountManager, some Any>) {
    if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
      (registrar as? ObservationRegistrar)?.access(self, keyPath: property)
    }
  }

  private func hasChanged(_ property: KeyPath<AccountManager, some Any>) {
    if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
      (registrar as? ObservationRegistrar)?.withMutation(of: self, keyPath: property) {}
    }
    #if canImport(Combine)
      // SwiftUI accepts announcements only on the main thread.
      DispatchQueue.main.async { [weak self] in self?.objectWillChange.send() }
    #endif
  }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
extension AccountManager: Observable {}

#if canImport(Combine)
  extension AccountManager: ObservableObject {}
#endif

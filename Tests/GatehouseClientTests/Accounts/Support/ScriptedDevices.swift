import Foundation
import GatehouseClient
import GatehouseProtocol

/// Apple's sheet, used by a person whose actions the test sets.
final class ScriptedApple: AppleAuthorizing, PasswordOffering {
  struct State {
    var subject = "001.alice"
    var tellsName = true
    var fault: DeviceFault?
    /// Changes the answer before the app gets it.
    var change: @Sendable (inout AppleAuthorization) -> Void = { _ in }
    /// Runs while the sheet is open.
    var meanwhile: @Sendable () async -> Void = {}
    var standing: Result<ProviderCredentialState, DeviceFault> = .success(.authorized)
    /// What the person chooses if passwords are offered.
    var password: (user: String, password: String)?
    var serial = 0
    var requests: [AppleAuthorizationRequest] = []
    var offeredApple: Bool?
    var observers: [Int: @Sendable () -> Void] = [:]
    var lastObserver = 0
  }

  let state = Locked(State())
  private let journal: Journal
  init(_ journal: Journal) { self.journal = journal }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func authorize(_ request: AppleAuthorizationRequest)
    async throws(DeviceFault) -> AppleAuthorization
  {
    journal.note("sheet apple")
    await state.withLock(\.meanwhile)()
    let answer: Result<AppleAuthorization, DeviceFault> = state.withLock { state in
      if let fault = state.fault { return .failure(fault) }
      state.serial += 1
      state.requests.append(request)
      let token = ProviderToken(
        provider: .apple, subject: state.subject, nonceHash: request.nonce, serial: state.serial)
      var answer = AppleAuthorization(
        user: state.subject, identityToken: Data(token.text.utf8),
        authorizationCode: Data("code-\(state.serial)".utf8),
        fullName: state.tellsName ? PersonName(givenName: "Alice", familyName: "Ng") : nil,
        email: state.tellsName ? "relay@example.com" : nil, state: request.state)
      state.tellsName = false
      state.change(&answer)
      return .success(answer)
    }
    return try answer.get()
  }

  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState
  {
    journal.note("state apple")
    return try state.withLock(\.standing).get()
  }

  func observeRevocations(_ observer: @escaping @Sendable () -> Void) -> DeviceObservation? {
    let number = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = observer
      return state.lastObserver
    }
    return DeviceObservation { [weak self] in self?.set { $0.observers[number] = nil } }
  }

  /// The system tells the app that a credential may have been revoked.
  func notifyOfRevocation() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer() }
  }

  func offer(_ apple: AppleAuthorizationRequest?) async throws(DeviceFault) -> OfferedCredential {
    state.withLock { $0.offeredApple = apple != nil }
    if let chosen = state.withLock(\.password) {
      journal.note("sheet passwords")
      return .password(user: chosen.user, password: chosen.password)
    }
    guard let apple else {
      throw state.withLock(\.fault) ?? .unavailable(detail: "nothing saved")
    }
    return .apple(try await authorize(apple))
  }
}

/// Google's SDK, used by a person whose actions the test sets.
final class ScriptedGoogle: GoogleSigningIn {
  struct State {
    var subject = "g-alice"
    /// The user that the SDK has stored.
    var held: String?
    var fault: DeviceFault?
    var disconnectFault: DeviceFault?
    var standing: Result<ProviderCredentialState, DeviceFault>?
    var meanwhile: @Sendable () async -> Void = {}
    var idTokenIsMissing = false
    var serial = 0
    var requests: [GoogleSignInRequest] = []
  }

  let state = Locked(State())
  let takesNonce: Bool
  private let journal: Journal
  init(_ journal: Journal, takesNonce: Bool = true) {
    self.journal = journal
    self.takesNonce = takesNonce
  }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func signIn(_ request: GoogleSignInRequest) async throws(DeviceFault) -> GoogleAuthorization {
    journal.note("sheet google")
    await state.withLock(\.meanwhile)()
    let answer: Result<GoogleAuthorization, DeviceFault> = state.withLock { state in
      if let fault = state.fault { return .failure(fault) }
      state.serial += 1
      state.requests.append(request)
      state.held = state.subject
      let token = ProviderToken(
        provider: .google, subject: state.subject, nonceHash: request.nonce ?? "",
        serial: state.serial)
      return .success(
        GoogleAuthorization(
          user: state.subject, idToken: state.idTokenIsMissing ? nil : token.text,
          accessToken: "access"))
    }
    return try answer.get()
  }

  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState
  {
    journal.note("state google")
    let answer: Result<ProviderCredentialState, DeviceFault> = state.withLock { state in
      state.standing ?? .success(state.held == user ? .authorized : .notFound)
    }
    return try answer.get()
  }

  func disconnect(userID user: String) async throws(DeviceFault) {
    journal.note("disconnect google")
    let fault: DeviceFault? = state.withLock { state in
      if let fault = state.disconnectFault { return fault }
      guard state.held == user else { return .unavailable(detail: "nobody") }
      state.held = nil
      return nil
    }
    if let fault { throw fault }
  }

  func signOut() async { set { $0.held = nil } }
}

/// A browser whose answers the test sets.
final class ScriptedBrowser: WebPresenting {
  private let answer: @Sendable (URL) throws(DeviceFault) -> String
  private let journal: Journal

  /// - Parameter answer: Takes the opened URL and returns what is added to the redirect URL.
  init(_ journal: Journal, _ answer: @escaping @Sendable (URL) throws(DeviceFault) -> String) {
    self.journal = journal
    self.answer = answer
  }

  func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
    async throws(DeviceFault) -> URL
  {
    let redirectURL = "app-1://firebaseauth/link"
    let address: URL
    do {
      address = try begin(redirectURL)
    } catch {
      throw .notBegun(error)
    }
    journal.note("browser")
    guard let end = URL(string: redirectURL + (try answer(address))) else {
      throw .failed(detail: "no URL")
    }
    return end
  }
}

/// A provider's ID token, in the form that the scripted server reads.
struct ProviderToken: Sendable {
  var provider: Provider
  var subject: String
  var nonceHash: String
  var serial: Int

  var text: String { "\(provider)|\(subject)|\(nonceHash)|\(serial)" }

  init(provider: Provider, subject: String, nonceHash: String, serial: Int) {
    self.provider = provider
    self.subject = subject
    self.nonceHash = nonceHash
    self.serial = serial
  }

  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let serial = Int(parts[3]) else { return nil }
    self.init(provider: Provider(parts[0]), subject: parts[1], nonceHash: parts[2], serial: serial)
  }
}

import GatehouseClient

#if canImport(Combine)
  import Combine
#endif

/// A second factor that a page offers to add.
public enum SecondFactorOption: Sendable, Hashable {
  case authenticatorApp
  case textMessage
  /// Only where a sign-in requires a factor, and on systems with a sheet for passkeys.
  case passkey
}

/// The addition of a second factor, step by step.
@MainActor final class EnrollmentFlow {
  enum Step: Equatable {
    case choose
    /// The user adds the secret to an authenticator app, and types the app's code.
    case authenticator(AuthenticatorSecret)
    case phoneNumber
    case message(verificationID: String)
    /// The factor is added. The codes are shown once.
    case recoveryCodes([String])
  }

  let session: SecondFactorSession
  /// What the authenticator app shows as the user's name.
  let accountName: String
  private let passkeys: (any PasskeyAuthorizing)?
  private(set) var step = Step.choose { willSet { announce() } }
  private(set) var isWorking = false { willSet { announce() } }
  private(set) var failure: AccountError? { willSet { announce() } }
  /// The result of the addition, until the user has seen the recovery codes.
  private var result: SignInResult?

  /// - Parameter passkeys: The device's passkeys. Nil: none is offered.
  init(
    _ session: SecondFactorSession, accountName: String,
    passkeys: (any PasskeyAuthorizing)? = nil
  ) {
    self.session = session
    self.accountName = accountName
    self.passkeys = passkeys
  }

  /// Those of the options that the device has.
  func offered(_ options: [SecondFactorOption]) -> [SecondFactorOption] {
    options.filter { $0 != .passkey || passkeys != nil }
  }

  private func announce() {
    #if canImport(Combine)
      objectWillChange.send()
    #endif
  }

  /// - Returns: The result, if the option needs no further step: a passkey.
  @discardableResult
  func choose(_ option: SecondFactorOption) async -> SignInResult? {
    var finished: SignInResult?
    switch option {
    case .authenticatorApp:
      await work { () async throws(ClientError) in
        step = .authenticator(try await session.createAuthenticatorSecret())
      }
    case .textMessage:
      failure = nil
      step = .phoneNumber
    case .passkey: finished = await addPasskey()
    }
    return finished
  }

  private func addPasskey() async -> SignInResult? {
    guard let passkeys else { return nil }
    var created: Result<PasskeyRegistration, DeviceFault>?
    var finished: SignInResult?
    await work { () async throws(ClientError) in
      let creation = try await session.startPasskey()
      do throws(DeviceFault) {
        let registration = try await passkeys.create(creation, quietly: false)
        created = .success(registration)
      } catch {
        created = .failure(error)
      }
      if case .success(let registration)? = created {
        finished = try await session.addPasskey(registration)
      }
    }
    if case .failure(let fault)? = created, fault != .cancelled { failure = .device(fault) }
    return finished
  }

  func sendCode(to phoneNumber: String) async {
    await work { () async throws(ClientError) in
      step = .message(verificationID: try await session.sendCode(toNew: phoneNumber))
    }
  }

  func chooseAgain() {
    failure = nil
    step = .choose
  }

  /// - Returns: The result, if there are no recovery codes to show. If there are, ``finish()`` returns it.
  func submit(_ code: String) async -> SignInResult? {
    let code = code.filter { !$0.isWhitespace }
    let factor: NewSecondFactor
    switch step {
    case .authenticator(let secret): factor = .totp(secret, code: code)
    case .message(let id): factor = .phone(code: code, verificationID: id)
    case .choose, .phoneNumber, .recoveryCodes: return nil
    }
    var finished: SignInResult?
    await work { () async throws(ClientError) in
      let enrollment = try await session.enroll(factor)
      if enrollment.recoveryCodes.isEmpty {
        finished = enrollment.result
      } else {
        result = enrollment.result
        step = .recoveryCodes(enrollment.recoveryCodes)
      }
    }
    return finished
  }

  /// The user has seen the recovery codes.
  func finish() -> SignInResult? { result }

  private func work(_ body: () async throws(ClientError) -> Void) async {
    guard !isWorking else { return }
    isWorking = true
    failure = nil
    do throws(ClientError) { try await body() } catch { failure = .client(error) }
    isWorking = false
  }
}

extension SecondFactorOption {
  func title(in language: TextLanguage) -> String {
    switch self {
    case .authenticatorApp: InterfaceText.authenticatorApp.text(in: language)
    case .textMessage: InterfaceText.textMessage.text(in: language)
    case .passkey: InterfaceText.usePasskey.text(in: language)
    }
  }
}

#if canImport(Combine)
  extension EnrollmentFlow: ObservableObject {}
#endif

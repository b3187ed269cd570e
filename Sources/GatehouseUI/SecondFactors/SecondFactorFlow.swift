import GatehouseClient

#if canImport(Combine)
  import Combine
#endif

/// A sign-in or re-authentication that waits for a second factor: which one the user chose, and what each
/// press does. Independent of SwiftUI, so that tests don't need it.
@MainActor final class SecondFactorFlow {
  enum Step: Equatable {
    case choose
    /// The code of an authenticator app.
    case authenticator(SecondFactor)
    /// The code of a text message.
    case message(SecondFactor, verificationID: String)
    case recoveryCode
  }

  let resolver: SecondFactorResolver
  /// Adds the factor that the project requires.
  let enrollment: EnrollmentFlow?
  private let passkeys: (any PasskeyAuthorizing)?
  private(set) var step = Step.choose { willSet { announce() } }
  private(set) var isWorking = false { willSet { announce() } }
  private(set) var failure: AccountError? { willSet { announce() } }

  /// - Parameter passkeys: The device's passkeys. Nil: none is offered.
  init(
    _ resolver: SecondFactorResolver, passkeys: (any PasskeyAuthorizing)?, accountName: String = ""
  ) {
    self.resolver = resolver
    self.passkeys = passkeys
    enrollment =
      resolver.isEnrollmentRequired
      ? EnrollmentFlow(resolver.session, accountName: accountName, passkeys: passkeys) : nil
    // Without a choice, the code is asked for at once. A text message is sent only if the user wants it.
    if resolver.factors.count == 1, let only = resolver.factors.first, only.kind == .totp,
      !canUsePasskey
    {
      step = .authenticator(only)
    }
  }

  var canUseRecoveryCode: Bool { (resolver.recoveryCodesLeft ?? 0) > 0 }

  /// Whether one of the account's passkeys can stand for the factor, and the device has a sheet for it.
  var canUsePasskey: Bool { resolver.isPasskeyAvailable && passkeys != nil }

  /// Whether the user can choose another factor.
  var hasOtherFactors: Bool {
    step != .choose && (resolver.factors.count > 1 || canUsePasskey || canUseRecoveryCode)
  }

  private func announce() {
    #if canImport(Combine)
      objectWillChange.send()
    #endif
  }

  /// Asks for the code of a factor. A phone gets a text message first.
  func choose(_ factor: SecondFactor) async {
    switch factor.kind {
    case .totp:
      failure = nil
      step = .authenticator(factor)
    case .phone:
      await work { () async throws(AccountError) in
        let id = try await sending { () async throws(ClientError) in
          try await resolver.session.sendCode(to: factor)
        }
        step = .message(factor, verificationID: id)
      }
    }
  }

  /// Shows the device's sheet.
  ///
  /// - Returns: Nil if the user closed the sheet, or the passkey was refused: ``failure`` then says why.
  func usePasskey() async -> SignInResult? {
    guard let passkeys, canUsePasskey else { return nil }
    var result: SignInResult?
    await work { () async throws(AccountError) in
      let request = try await sending { () async throws(ClientError) in
        try await resolver.startPasskey()
      }
      let assertion: PasskeyAssertion
      do throws(DeviceFault) {
        assertion = try await passkeys.sign(request, .sheet)
      } catch {
        if error == .cancelled { return }
        throw .device(error)
      }
      result = try await sending { () async throws(ClientError) in
        try await resolver.resolve(with: .passkey(assertion))
      }
    }
    return result
  }

  func chooseRecoveryCode() {
    failure = nil
    step = .recoveryCode
  }

  func chooseAgain() {
    failure = nil
    step = .choose
  }

  /// - Returns: Nil after a wrong code, for example. ``failure`` then says what to show.
  func submit(_ code: String) async -> SignInResult? {
    let code = code.filter { !$0.isWhitespace }
    let proof: SecondFactorProof
    switch step {
    case .choose: return nil
    case .authenticator(let factor): proof = .totp(code: code, factorID: factor.id)
    case .message(_, let id): proof = .phone(code: code, verificationID: id)
    case .recoveryCode: proof = .recoveryCode(code)
    }
    var result: SignInResult?
    await work { () async throws(AccountError) in
      result = try await sending { () async throws(ClientError) in
        try await resolver.resolve(with: proof)
      }
    }
    return result
  }

  private func work(_ body: () async throws(AccountError) -> Void) async {
    guard !isWorking else { return }
    isWorking = true
    failure = nil
    do throws(AccountError) { try await body() } catch { failure = error }
    isWorking = false
  }

  private func sending<Value: Sendable>(
    _ body: () async throws(ClientError) -> Value
  ) async throws(AccountError) -> Value {
    do { return try await body() } catch { throw .client(error) }
  }
}

extension SecondFactor {
  /// The user's name for it, or what it is.
  func title(in language: TextLanguage) -> String {
    if let displayName { return displayName }
    return switch kind {
    case .totp: InterfaceText.authenticatorApp.text(in: language)
    case .phone(let number): number
    }
  }
}

#if canImport(Combine)
  extension SecondFactorFlow: ObservableObject {}
#endif

import GatehouseClient

#if canImport(Combine)
  import Combine
#endif

/// The state of the sign-in buttons, and what each press does. Independent of SwiftUI, so that
/// tests don't need it.
@MainActor final class SignInFlow {
  /// A new identity that is linked when the user has signed in to an existing account. Its pending
  /// token is valid for ten minutes.
  enum Waiting {
    /// No account has the identity yet. The user was asked whether they are new.
    case question(NewAccountQuestion)
    /// An account with the identity's email address exists.
    case existing(IdentityProviderCredential)
  }

  let consent = ConsentAsking()
  private(set) var isWorking = false { willSet { announce() } }
  private(set) var failure: AccountError? { willSet { announce() } }
  private(set) var waiting: Waiting? { willSet { announce() } }
  var isWaiting: Bool {
    if case nil = waiting { false } else { true }
  }
  /// Whether the user can still choose to create an account.
  var canCreateAccount: Bool {
    if case .question = waiting { true } else { false }
  }
  /// Whether "Are you new here?" is shown.
  private(set) var isAskingWhetherNew = false { willSet { announce() } }
  /// Whether the form for an email address and a password is shown.
  private(set) var isAskingPassword = false { willSet { announce() } }
  /// What the account also asks for. Nil while it asks for nothing.
  private(set) var secondFactor: SecondFactorFlow? { willSet { announce() } }
  private var hasOfferedPasswords = false

  init() { consent.willChange = { [weak self] in self?.announce() } }

  /// Tells the views that show the flow that something changes.
  private func announce() {
    #if canImport(Combine)
      objectWillChange.send()
    #endif
  }

  /// Runs the work of a button. Does nothing while the work of another button is running.
  ///
  /// `isWorking` is set before the task starts, because a second press may come before that.
  func run(
    _ work: @escaping @MainActor () async -> SignInResult?,
    then onSignedIn: @escaping @MainActor (SignInResult) -> Void
  ) {
    guard !isWorking else { return }
    isWorking = true
    Task {
      let result = await work()
      isWorking = false
      if let result { onSignedIn(result) }
    }
  }

  /// Signs in. While an identity waits, signs in to an existing account by `method` and links the
  /// identity to it.
  ///
  /// - Returns: Nil if no user was signed in. The properties then say what to show.
  func signIn(by method: SignInMethod, on page: SignInPage) async -> SignInResult? {
    await work(on: page) { () async throws(AccountError) in try await enter(by: method, on: page) }
  }

  func signIn(email: String, password: String, on page: SignInPage) async -> SignInResult? {
    let result = await signIn(by: .password(email: email, password: password), on: page)
    if result != nil { isAskingPassword = false }
    return result
  }

  /// Creates an account with a passkey. If the user chose Sign in with Apple in the sheet, shows Apple's.
  func signUpWithPasskey(on page: SignInPage) async -> SignInResult? {
    var prefersApple = false
    let result = await work(on: page) { () async throws(AccountError) in
      switch try await page.manager.signUpWithPasskey() {
      case .signedIn(let result, _): return .signedIn(result)
      case .prefersApple:
        prefersApple = true
        return .cancelled
      case .cancelled: return .cancelled
      }
    }
    return prefersApple ? await signIn(by: .apple, on: page) : result
  }

  /// Offers passkeys above the keyboard of the password form, until the user chooses one or the task is
  /// cancelled.
  func signInByAutoFill(on page: SignInPage) async -> SignInResult? {
    guard page.offersPasskeys else { return nil }
    do throws(AccountError) {
      let answer = try await page.manager.signInByAutoFill(asking: prompt(on: page))
      guard case .signedIn(let result) = answer else { return nil }
      waiting = nil
      isAskingPassword = false
      return result
    } catch {
      // The user asked for nothing, unless they chose a passkey and the server rejected it.
      switch error {
      case .client(.secondFactorRequired(let resolver)): ask(resolver, by: page.manager)
      case .client(.server(let refusal)) where refusal.code.hasPrefix("PASSKEY_"): failure = error
      default: break
      }
      return nil
    }
  }

  /// "I'm new": creates the account.
  func createAccount(on page: SignInPage) async -> SignInResult? {
    isAskingWhetherNew = false
    guard case .question(let question) = waiting else { return nil }
    let prompt = prompt(on: page)
    return await work(on: page) { () async throws(AccountError) in
      try await question.continue(asking: prompt)
    }
  }

  /// "I have an account": offers a password that the device has saved. Without one, the user signs
  /// in to the account with the buttons.
  func enterExisting(on page: SignInPage) async -> SignInResult? {
    isAskingWhetherNew = false
    return await offerSavedPassword(on: page)
  }

  /// Offers the device's saved passwords, once: when the buttons first appear.
  func offerSavedPasswordOnce(on page: SignInPage) async -> SignInResult? {
    guard !hasOfferedPasswords, !isWorking else { return nil }
    hasOfferedPasswords = true
    return await offerSavedPassword(on: page)
  }

  func askPassword() {
    failure = nil
    isAskingPassword = true
  }

  func closePasswordForm() {
    isAskingPassword = false
    failure = nil
  }

  /// Whether the form for a password or a second factor is shown.
  var isShowingSheet: Bool { isAskingPassword || secondFactor != nil }

  func closeSheet() {
    secondFactor = nil
    closePasswordForm()
  }

  func hideQuestion() { isAskingWhetherNew = false }
  func hideFailure() { failure = nil }

  /// Shows an error that a button found itself, before a request was sent.
  func fail(_ error: AccountError) { failure = error }

  /// Asks for a second factor, and shows no failure: the user did nothing wrong.
  func ask(_ resolver: SecondFactorResolver, by manager: AccountManager) {
    failure = nil
    secondFactor = SecondFactorFlow(resolver, passkeys: manager.devices.passkeys)
  }

  /// - Parameter result: Nil if the user cancelled.
  func endSecondFactor(_ result: SignInResult?) {
    secondFactor = nil
    guard result != nil else { return }
    // The resolver has linked the identity that waited.
    waiting = nil
    isAskingPassword = false
  }

  /// Discards the waiting identity.
  func forgetWaiting() {
    isAskingWhetherNew = false
    waiting = nil
  }

  private func offerSavedPassword(on page: SignInPage) async -> SignInResult? {
    guard page.offersSavedPasswords else { return nil }
    return await work(on: page) { () async throws(AccountError) in
      do throws(AccountError) {
        return try await enter(by: .savedPassword, on: page)
      } catch {
        // The user didn't ask for this sheet, so an error that no sheet was shown isn't reported.
        switch error {
        case .device, .notOffered, .busy: return .cancelled
        default: throw error
        }
      }
    }
  }

  private func enter(by method: SignInMethod, on page: SignInPage)
    async throws(AccountError) -> SignInAnswer
  {
    let prompt = prompt(on: page)
    switch waiting {
    case nil:
      return try await page.manager.signIn(with: method, ifNew: page.rule, asking: prompt)
    case .question(let question):
      return try await question.linkToExisting(by: method, asking: prompt)
    case .existing(let identity):
      return try await page.manager.link(identity, toAccountBy: method, asking: prompt)
    }
  }

  private func prompt(on page: SignInPage) -> ConsentPrompt {
    consent.prompt(names: page.names, in: page.language)
  }

  private func work(
    on page: SignInPage, _ body: () async throws(AccountError) -> SignInAnswer
  ) async -> SignInResult? {
    isWorking = true
    failure = nil
    defer { isWorking = false }
    do throws(AccountError) {
      switch try await body() {
      case .signedIn(let result):
        waiting = nil
        return result
      case .newAccount(let question):
        waiting = .question(question)
        isAskingWhetherNew = true
      // The identity continues to wait: a closed sheet is not a decision.
      case .cancelled: break
      }
    } catch {
      failure = error
      switch error {
      case .client(.secondFactorRequired(let resolver)): ask(resolver, by: page.manager)
      case .client(.accountExists(_, _, let identity?)) where !isWaiting:
        waiting = .existing(identity)
      // The pending token has expired.
      case .client(.server(let refusal)) where refusal.code == "INVALID_PENDING_TOKEN":
        waiting = nil
      default: break
      }
    }
    return nil
  }
}

#if canImport(Combine)
  extension SignInFlow: ObservableObject {}
#endif

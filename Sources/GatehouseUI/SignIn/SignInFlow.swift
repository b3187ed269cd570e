import GatehouseClient
import Observation

/// What sign-in buttons show, and what happens when one is pressed. Knows nothing of SwiftUI, so that
/// it is tested without.
@MainActor @Observable
final class SignInFlow {
  /// A new identity that waits until the user has entered an account that they have. The server keeps
  /// it for ten minutes.
  enum Waiting {
    /// Nobody has it yet, and the user was asked whether they are new.
    case question(NewAccountQuestion)
    /// An account with its email address exists.
    case existing(IdentityProviderCredential)
  }

  let consent = ConsentAsking()
  private(set) var isWorking = false
  private(set) var failure: AccountError?
  private(set) var waiting: Waiting?
  var isWaiting: Bool {
    if case nil = waiting { false } else { true }
  }
  /// Whether the user may still say that they are new.
  var canCreateAccount: Bool {
    if case .question = waiting { true } else { false }
  }
  /// "Are you new here?"
  private(set) var isAskingWhetherNew = false
  /// The form for an email address and a password.
  private(set) var isAskingPassword = false
  private var hasOfferedPasswords = false

  /// What a button does. Nothing while another one's work is under way, from the press on: a task begins
  /// a moment later, and two presses may come before it.
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

  /// Signs in; or, while an identity waits, enters an account by `method` and links the identity to it.
  ///
  /// - Returns: Nil where nobody was signed in: what to show then is in the properties.
  func signIn(by method: SignInMethod, on page: SignInPage) async -> SignInResult? {
    await work { () async throws(AccountError) in try await enter(by: method, on: page) }
  }

  func signIn(email: String, password: String, on page: SignInPage) async -> SignInResult? {
    let result = await signIn(by: .password(email: email, password: password), on: page)
    if result != nil { isAskingPassword = false }
    return result
  }

  /// "I'm new": creates the account.
  func createAccount(on page: SignInPage) async -> SignInResult? {
    isAskingWhetherNew = false
    guard case .question(let question) = waiting else { return nil }
    let prompt = prompt(on: page)
    return await work { () async throws(AccountError) in
      try await question.continue(asking: prompt)
    }
  }

  /// "I have an account": offers a password that the device has saved. Without one the buttons are how
  /// the user enters their account.
  func enterExisting(on page: SignInPage) async -> SignInResult? {
    isAskingWhetherNew = false
    return await offerSavedPassword(on: page)
  }

  /// Offers what the device has saved, once: at the first appearance of the buttons.
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

  func hideQuestion() { isAskingWhetherNew = false }
  func hideFailure() { failure = nil }

  /// For what a button found out itself, before there was anything to send.
  func fail(_ error: AccountError) { failure = error }

  /// Leaves the identity that waits.
  func forgetWaiting() {
    isAskingWhetherNew = false
    waiting = nil
  }

  private func offerSavedPassword(on page: SignInPage) async -> SignInResult? {
    guard page.offersSavedPasswords else { return nil }
    return await work { () async throws(AccountError) in
      do throws(AccountError) {
        return try await enter(by: .savedPassword, on: page)
      } catch {
        // Nobody asked for this sheet: that there is none is not worth a word.
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

  private func work(_ body: () async throws(AccountError) -> SignInAnswer) async -> SignInResult? {
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
      // What waits goes on waiting: a closed sheet is no decision.
      case .cancelled: break
      }
    } catch {
      failure = error
      switch error {
      case .client(.accountExists(_, _, let identity?)) where !isWaiting:
        waiting = .existing(identity)
      // The ten minutes are over.
      case .client(.server(let refusal)) where refusal.code == "INVALID_PENDING_TOKEN":
        waiting = nil
      default: break
      }
    }
    return nil
  }
}

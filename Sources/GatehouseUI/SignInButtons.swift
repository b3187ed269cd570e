#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// A button for each way to sign in, and the question whether somebody is new.
  ///
  /// Says itself what failed, in the language of the view's locale. A sheet that was closed isn't
  /// worth a word.
  public struct SignInButtons: View {
    private let manager: AccountManager
    private let options: [SignInOption]
    private let rule: NewAccountRule
    private let onSignedIn: @MainActor (SignInResult) -> Void

    @Environment(\.locale) private var locale
    @State private var isWorking = false
    @State private var failure: AccountError?
    /// Somebody is asked whether they are new.
    @State private var question: NewAccountQuestion?
    @State private var isAsking = false

    /// - Parameters:
    ///   - rule: With `NewAccountRule.ask` nobody makes a second account by
    ///     accident.
    ///   - onSignedIn: For what the app does besides; who is signed in shows in
    ///     `AccountManager.authState`.
    public init(
      manager: AccountManager, options: [SignInOption] = [.apple, .google],
      ifNew rule: NewAccountRule = .ask,
      onSignedIn: @escaping @MainActor (SignInResult) -> Void = { _ in }
    ) {
      self.manager = manager
      self.options = options
      self.rule = rule
      self.onSignedIn = onSignedIn
    }

    public var body: some View {
      VStack(spacing: 12) {
        // Whoever said that they have an account signs in to it by the same buttons.
        ForEach(options, id: \.self) { option in button(option) }
        if isWorking { ProgressView() }
      }
      .disabled(isWorking)
      .confirmationDialog(
        text(.newAccountQuestion), isPresented: $isAsking, titleVisibility: .visible
      ) {
        Button(text(.newHere)) { createAccount() }
        Button(text(.haveAccount)) {}
        Button(text(.cancel), role: .cancel) { question = nil }
      }
      .alert(
        text(.signInFailed),
        isPresented: Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(failure?.suggestion(in: language) ?? "")
      }
    }

    @ViewBuilder private func button(_ option: SignInOption) -> some View {
      if let method = option.method {
        Button(option.title(in: language)) { signIn(by: method) }
      } else {
        appleButton
      }
    }

    @ViewBuilder private var appleButton: some View {
      #if canImport(AuthenticationServices)
        AppleButton(onAnswer: { signIn(by: $0) }, onFailure: { failure = $0 })
          .frame(height: 44)
      #else
        Button(SignInOption.apple.title(in: language)) { signIn(by: .apple) }
      #endif
    }

    private func signIn(by method: SignInMethod) {
      let (manager, rule, waiting) = (manager, rule, question)
      question = nil
      work { () async throws(AccountError) -> SignInAnswer in
        if let waiting {
          return try await waiting.linkToExisting(by: method)
        } else {
          return try await manager.signIn(with: method, ifNew: rule)
        }
      }
    }

    private func createAccount() {
      guard let waiting = question else { return }
      question = nil
      work { () async throws(AccountError) -> SignInAnswer in try await waiting.continue() }
    }

    private func work(_ body: @escaping () async throws(AccountError) -> SignInAnswer) {
      isWorking = true
      Task {
        do throws(AccountError) {
          switch try await body() {
          case .signedIn(let result): onSignedIn(result)
          case .newAccount(let asked):
            question = asked
            isAsking = true
          case .cancelled: break
          }
        } catch {
          failure = error
        }
        isWorking = false
      }
    }

    private var language: TextLanguage { TextLanguage(languageCode: locale.identifier) }
    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }
#endif

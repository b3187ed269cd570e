#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// A button for each sign-in method, and the question whether the user is new.
  ///
  /// Shows failures itself, in the language of the view's locale. It shows no message if the user
  /// closed a sheet. Asks for a second factor if the account has one. Asks for consent if the project requires it and the manager has no
  /// `consentPrompt` of the app. If an account with the same email address exists, the user signs
  /// in to it with another button, and the new method is linked.
  ///
  /// Keep the view until `onSignedIn` is called: a user who has an account is signed in first, and
  /// may be asked for consent after that. If the view disappears in between, the consent counts as
  /// declined. ``AccountView`` stays visible after a sign-in.
  public struct SignInButtons: View {
    @ObservedObject private var manager: AccountManager
    private let options: [SignInOption]
    private let rule: NewAccountRule
    private let secondFactors: [SecondFactorOption]
    private let onSignedIn: @MainActor (SignInResult) -> Void

    @Environment(\.locale) private var locale
    @StateObject private var flow = SignInFlow()

    /// - Parameters:
    ///   - rule: With `NewAccountRule.ask` users don't create a second account by accident.
    ///   - secondFactors: What a user can add if the project requires a second factor.
    ///   - onSignedIn: Called after a sign-in. The signed-in user is also in
    ///     `AccountManager.authState`.
    public init(
      manager: AccountManager, options: [SignInOption] = [.apple, .google],
      ifNew rule: NewAccountRule = .ask,
      secondFactors: [SecondFactorOption] = [.authenticatorApp],
      onSignedIn: @escaping @MainActor (SignInResult) -> Void = { _ in }
    ) {
      self.manager = manager
      self.options = options
      self.rule = rule
      self.secondFactors = secondFactors
      self.onSignedIn = onSignedIn
    }

    public var body: some View {
      let page = SignInPage(
        manager: manager, options: options, rule: rule,
        language: TextLanguage(languageCode: locale.identifier), secondFactors: secondFactors)
      SignInButtonList(flow: flow, manager: manager, page: page, onSignedIn: onSignedIn)
        .signInQuestions(flow, on: page, onSignedIn: onSignedIn)
    }
  }

  /// Only the buttons. The view that has the flow shows its questions, with `signInQuestions`.
  struct SignInButtonList: View {
    @ObservedObject var flow: SignInFlow
    @ObservedObject var manager: AccountManager
    let page: SignInPage
    let onSignedIn: @MainActor (SignInResult) -> Void

    var body: some View {
      VStack(spacing: 12) {
        if flow.isWaiting { waiting }
        // A user who chose "I have an account" signs in to it with the same buttons.
        ForEach(page.options, id: \.self) { option in button(option) }
        if flow.isWorking { ProgressView() }
      }
      .disabled(flow.isWorking || manager.isBusy)
      .task { if let result = await flow.offerSavedPasswordOnce(on: page) { onSignedIn(result) } }
    }

    private var waiting: some View {
      VStack(spacing: 12) {
        Text(verbatim: text(.signInToConnect))
        if flow.canCreateAccount {
          Button(text(.newHere)) { run { await flow.createAccount(on: page) } }
        }
        Button(text(.cancel), role: .cancel) { flow.forgetWaiting() }
      }
    }

    @ViewBuilder private func button(_ option: SignInOption) -> some View {
      if let method = option.method {
        Button(option.title(in: page.language)) { signIn(by: method) }
      } else if option == .password {
        Button(option.title(in: page.language)) { flow.askPassword() }
      } else if option == .newPasskey {
        // An identity that waits belongs to an account that exists.
        if !flow.isWaiting {
          Button(option.title(in: page.language)) {
            run { await flow.signUpWithPasskey(on: page) }
          }
        }
      } else {
        appleButton
      }
    }

    @ViewBuilder private var appleButton: some View {
      #if canImport(AuthenticationServices)
        AppleButton(onAnswer: { signIn(by: $0) }, onFailure: { flow.fail($0) })
          .frame(height: 44)
      #else
        Button(SignInOption.apple.title(in: page.language)) { signIn(by: .apple) }
      #endif
    }

    private func signIn(by method: SignInMethod) {
      run { await flow.signIn(by: method, on: page) }
    }

    private func run(_ work: @escaping @MainActor () async -> SignInResult?) {
      flow.run(work, then: onSignedIn)
    }

    private func text(_ text: InterfaceText) -> String { text.text(in: page.language) }
  }

  extension View {
    /// Shows the questions and failures of a sign-in: new user or not, a password, a second factor,
    /// consent.
    ///
    /// Use it on a view that stays when the user is signed in.
    func signInQuestions(
      _ flow: SignInFlow, on page: SignInPage,
      onSignedIn: @escaping @MainActor (SignInResult) -> Void
    ) -> some View {
      func text(_ text: InterfaceText) -> String { text.text(in: page.language) }
      func run(_ work: @escaping @MainActor () async -> SignInResult?) {
        flow.run(work, then: onSignedIn)
      }
      return confirmationDialog(
        text(.newAccountQuestion),
        isPresented: Binding(
          get: { flow.isAskingWhetherNew }, set: { if !$0 { flow.hideQuestion() } }),
        titleVisibility: .visible
      ) {
        Button(text(.newHere)) { run { await flow.createAccount(on: page) } }
        Button(text(.haveAccount)) { run { await flow.enterExisting(on: page) } }
        Button(text(.cancel), role: .cancel) { flow.forgetWaiting() }
      }
      .alert(
        text(.signInFailed),
        isPresented: Binding(
          get: { flow.failure != nil && !flow.isShowingSheet },
          set: { if !$0 { flow.hideFailure() } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(verbatim: flow.failure?.suggestion(in: page.language) ?? "")
      }
      .consentAlert(flow.consent, isOnTop: !flow.isShowingSheet)
      // One sheet, because a second one isn't shown while the first one closes.
      .sheet(
        isPresented: Binding(
          get: { flow.isShowingSheet }, set: { if !$0 { flow.closeSheet() } })
      ) {
        if let secondFactor = flow.secondFactor {
          SecondFactorForm(
            flow: secondFactor, options: page.secondFactors, language: page.language
          ) { result in
            flow.endSecondFactor(result)
            if let result { onSignedIn(result) }
          }
        } else {
          PasswordForm(flow: flow, page: page, onSignedIn: onSignedIn)
        }
      }
      .onDisappear { flow.consent.decline() }
    }
  }
#endif

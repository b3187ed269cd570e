#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// An account page: the signed-in user, the sign-in methods, second factors, sign-out and deletion.
  ///
  /// Shows the buttons of ``SignInButtons`` while no user is signed in, and only a progress view
  /// until the session is read. Asks for consent if the project requires it and the manager has no
  /// `consentPrompt` of the app.
  public struct AccountView: View {
    @ObservedObject private var manager: AccountManager
    private let options: [SignInOption]
    private let secondFactors: [SecondFactorOption]
    private let deletion: DeletionOptions

    @Environment(\.locale) private var locale
    @StateObject private var flow = SignInFlow()
    @State private var isWorking = false
    @State private var failure: AccountError?

    /// - Parameters:
    ///   - options: The sign-in methods that the app offers.
    ///   - secondFactors: The second factors that the project offers. Empty: the page doesn't list any.
    public init(
      manager: AccountManager, options: [SignInOption] = [.apple, .google],
      secondFactors: [SecondFactorOption] = [], deletion: DeletionOptions = DeletionOptions()
    ) {
      self.manager = manager
      self.options = options
      self.secondFactors = secondFactors
      self.deletion = deletion
    }

    public var body: some View {
      // This view shows the questions of a sign-in, because it stays when the buttons disappear: a
      // user who has an account is signed in first, and then asked whether to link the new
      // identity.
      content.signInQuestions(flow, on: signInPage, onSignedIn: { _ in })
    }

    @ViewBuilder private var content: some View {
      switch manager.authState {
      case .loading: ProgressView()
      case .signedOut:
        SignInButtonList(flow: flow, manager: manager, page: signInPage, onSignedIn: { _ in })
      case .anonymous(let user), .signedIn(let user): page(user)
      }
    }

    private var signInPage: SignInPage {
      var page = SignInPage(manager: manager, options: options, language: language)
      if !secondFactors.isEmpty { page.secondFactors = secondFactors }
      return page
    }

    /// The methods that aren't linked yet. A password can't be added here: that needs a way to
    /// verify the email address.
    private func connectable(_ user: UserSnapshot) -> [SignInOption] {
      options.filter {
        $0 != .password && $0.provider != .passkey && user.provider($0.provider) == nil
      }
    }

    private func page(_ user: UserSnapshot) -> some View {
      Form {
        Section(text(.account)) {
          if let name = user.displayName { Text(verbatim: name) }
          if let email = user.email { Text(verbatim: email) }
        }
        Section(text(.waysToSignIn)) {
          ForEach(user.providers, id: \.self) { identity in linked(identity, of: user) }
          ForEach(connectable(user), id: \.self) { option in connect(option) }
        }
        if signInPage.offersPasskeys {
          PasskeyList(manager: manager)
        }
        if !secondFactors.isEmpty, !user.isAnonymous {
          SecondFactorList(manager: manager, options: secondFactors)
        }
        Section {
          Button(text(.signOut)) { signOut() }
          DeleteAccountButton(manager: manager, options: deletion)
        }
      }
      .disabled(isWorking || manager.isBusy)
      .alert(
        text(.didNotWork),
        isPresented: Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(failure?.suggestion(in: language) ?? "")
      }
    }

    private func linked(_ identity: LinkedProvider, of user: UserSnapshot) -> some View {
      HStack {
        Text(verbatim: identity.email ?? identity.provider.rawValue)
        Spacer()
        // The last method stays: without it the user could not sign in again.
        if user.providers.count > 1 {
          Button(text(.disconnect), role: .destructive) { disconnect(identity.provider) }
        }
      }
    }

    @ViewBuilder private func connect(_ option: SignInOption) -> some View {
      if let method = option.method {
        Button(option.title(in: language)) { link(method) }
      } else {
        #if canImport(AuthenticationServices)
          AppleButton(onAnswer: { link($0) }, onFailure: { failure = $0 })
            .frame(height: 44)
        #else
          Button(option.title(in: language)) { link(.apple) }
        #endif
      }
    }

    private func link(_ method: SignInMethod) {
      let prompt = flow.consent.prompt(names: signInPage.names, in: language)
      work { () async throws(AccountError) in _ = try await manager.link(method, asking: prompt) }
    }

    private func disconnect(_ provider: Provider) {
      work { () async throws(AccountError) in _ = try await manager.disconnect(provider) }
    }

    private func signOut() {
      do {
        try manager.client.signOut()
      } catch {
        failure = .client(error)
      }
    }

    private func work(_ body: @escaping () async throws(AccountError) -> Void) {
      isWorking = true
      Task {
        do throws(AccountError) {
          try await body()
        } catch {
          if case .client(.secondFactorRequired(let resolver)) = error {
            flow.ask(resolver, by: manager)
          } else {
            failure = error
          }
        }
        isWorking = false
      }
    }

    private var language: TextLanguage { TextLanguage(languageCode: locale.identifier) }
    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }
#endif

#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// A form for the email address and the password of an existing account.
  struct PasswordForm: View {
    @ObservedObject var flow: SignInFlow
    let page: SignInPage
    let onSignedIn: @MainActor (SignInResult) -> Void

    @State private var email = ""
    @State private var password = ""

    var body: some View {
      Form {
        Section {
          TextField(text(.email), text: $email).emailEntry()
          SecureField(text(.password), text: $password).passwordEntry()
        }
        if let failure = flow.failure {
          Section { Text(verbatim: failure.suggestion(in: page.language)) }
        }
        Section {
          Button(text(.signIn)) { submit() }
            .disabled(email.isEmpty || password.isEmpty || flow.isWorking)
          Button(text(.cancel), role: .cancel) { flow.closePasswordForm() }
            .disabled(flow.isWorking)
          if flow.isWorking { ProgressView() }
        }
      }
      .interactiveDismissDisabled(flow.isWorking)
      .consentAlert(flow.consent)
      .onDisappear { flow.consent.decline() }
      .task { if let result = await flow.signInByAutoFill(on: page) { onSignedIn(result) } }
    }

    private func submit() {
      let (email, password) = (email, password)
      flow.run(
        { await flow.signIn(email: email, password: password, on: page) },
        then: { result in
          onSignedIn(result)
          // The next sign-in needs no password, where the system allows it.
          if page.offersPasskeys { Task { await page.manager.addPasskeyQuietly() } }
        })
    }

    private func text(_ text: InterfaceText) -> String { text.text(in: page.language) }
  }

  extension View {
    /// Shows the keyboard for email addresses, and offers saved addresses.
    fileprivate func emailEntry() -> some View {
      #if os(watchOS)
        textInputAutocapitalization(.never)
      #elseif os(macOS)
        textContentType(.username).autocorrectionDisabled()
      #else
        textContentType(.username).keyboardType(.emailAddress)
          .textInputAutocapitalization(.never).autocorrectionDisabled()
      #endif
    }

    func passwordEntry() -> some View {
      #if os(watchOS)
        self
      #else
        textContentType(.password)
      #endif
    }
  }
#endif

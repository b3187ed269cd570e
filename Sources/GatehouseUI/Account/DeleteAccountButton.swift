#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Deletes the account after a confirmation. After a failure it shows what failed and what to do.
  ///
  /// Asks for the password if the sign-in isn't recent, the account has a password, and the device
  /// offers no other way to re-authenticate: neither a sheet nor a browser, and no saved password that is
  /// right.
  public struct DeleteAccountButton: View {
    @ObservedObject private var manager: AccountManager
    private let options: DeletionOptions
    private let onDeleted: @MainActor (DeletionReceipt) -> Void

    @Environment(\.locale) private var locale
    @State private var isAsking = false
    @State private var isDeleting = false
    @State private var failure: DeletionError?
    @State private var asksPassword = false
    @State private var secondFactor: SecondFactorFlow?

    public init(
      manager: AccountManager, options: DeletionOptions = DeletionOptions(),
      onDeleted: @escaping @MainActor (DeletionReceipt) -> Void = { _ in }
    ) {
      self.manager = manager
      self.options = options
      self.onDeleted = onDeleted
    }

    public var body: some View {
      Button(role: .destructive, action: { isAsking = true }) {
        if isDeleting { ProgressView() } else { Text(text(.deleteAccount)) }
      }
      .disabled(isDeleting || manager.isBusy)
      .confirmationDialog(
        text(.deleteAccount), isPresented: $isAsking, titleVisibility: .visible
      ) {
        Button(text(.yesDelete), role: .destructive) { delete(.automatic) }
        Button(text(.cancel), role: .cancel) {}
      } message: {
        Text(text(.deleteQuestion))
      }
      .sheet(isPresented: $asksPassword) {
        PasswordQuestion(language: language) { password in
          asksPassword = false
          if let password { delete(with: password) }
        }
      }
      .secondFactorSheet(secondFactor, options: [], in: language) { result in
        secondFactor = nil
        if result != nil { delete(.automatic) }
      }
      .alert(
        failure?.text(in: language).title ?? "",
        isPresented: Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(failure?.message(in: language) ?? "")
      }
    }

    private func delete(with password: String) {
      guard let email = manager.client.currentUser?.snapshot.provider(.password)?.uid else {
        return
      }
      delete(.with(.password(email: email, password: password)))
    }

    private func delete(_ reauthentication: Reauthentication) {
      isDeleting = true
      Task {
        do throws(DeletionError) {
          let outcome = try await manager.deleteAccount(
            reauthenticatingWith: reauthentication, options: options)
          if case .deleted(let receipt) = outcome { onDeleted(receipt) }
        } catch {
          // After a typed password that is wrong, the message says so.
          if case .client(.secondFactorRequired(let resolver)) = error.cause {
            secondFactor = SecondFactorFlow(
              resolver, passkeys: manager.devices.passkeys)
          } else if case .automatic = reauthentication, error.wantsPassword {
            asksPassword = true
          } else {
            failure = error
          }
        }
        isDeleting = false
      }
    }

    private var language: TextLanguage { TextLanguage(languageCode: locale.identifier) }
    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }

  /// Asks for the password before the account is deleted. A form, because alerts have text fields only
  /// since iOS 16.
  private struct PasswordQuestion: View {
    let language: TextLanguage
    /// Called with nil if the user cancels.
    let onAnswer: @MainActor (String?) -> Void

    @State private var password = ""

    var body: some View {
      Form {
        Section(text(.passwordToDelete)) {
          SecureField(text(.password), text: $password).passwordEntry()
        }
        Section {
          Button(text(.yesDelete), role: .destructive) { onAnswer(password) }
            .disabled(password.isEmpty)
          Button(text(.cancel), role: .cancel) { onAnswer(nil) }
        }
      }
    }

    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }

  extension DeletionError {
    fileprivate func message(in language: TextLanguage) -> String {
      let text = text(in: language)
      return text.description + "\n\n" + text.recoverySuggestion
    }
  }
#endif

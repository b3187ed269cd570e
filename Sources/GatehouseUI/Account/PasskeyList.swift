#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// The signed-in user's passkeys, as a section of a form: each can be removed, and one added. Shows
  /// failures itself.
  public struct PasskeyList: View {
    @ObservedObject private var manager: AccountManager
    private let relyingPartyID: String?

    @Environment(\.locale) private var locale
    @State private var isWorking = false
    @State private var failure: AccountError?

    /// - Parameter relyingPartyID: The domain of the passkeys. With it, the system stops offering a
    ///   passkey that was removed (iOS 26, macOS 26).
    public init(manager: AccountManager, relyingPartyID: String? = nil) {
      self.manager = manager
      self.relyingPartyID = relyingPartyID
    }

    public var body: some View {
      Section(text(.passkeys)) {
        ForEach(passkeys) { passkey in
          HStack {
            Text(verbatim: passkey.name)
            Spacer()
            Button(text(.remove), role: .destructive) {
              work { () async throws(AccountError) in
                try await manager.removePasskey(passkey, relyingPartyID: relyingPartyID)
              }
            }
          }
        }
        Button(text(.addPasskey)) {
          work { () async throws(AccountError) in _ = try await manager.addPasskey() }
        }
      }
      .disabled(isWorking || manager.isBusy)
      .alert(
        text(.didNotWork),
        isPresented: Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(verbatim: failure?.suggestion(in: language) ?? "")
      }
    }

    private var passkeys: [Passkey] { manager.client.currentUser?.snapshot.passkeys ?? [] }

    private func work(_ body: @escaping () async throws(AccountError) -> Void) {
      isWorking = true
      Task {
        do throws(AccountError) { try await body() } catch { failure = error }
        isWorking = false
      }
    }

    private var language: TextLanguage { TextLanguage(languageCode: locale.identifier) }
    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }
#endif

#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// The signed-in user's second factors, as sections of a form: each can be removed, others added, and
  /// recovery codes created. Shows failures itself.
  public struct SecondFactorList: View {
    @ObservedObject private var manager: AccountManager
    private let options: [SecondFactorOption]

    @Environment(\.locale) private var locale
    @State private var enrollment: EnrollmentFlow?
    @State private var recoveryCodes: [String] = []
    @State private var isWorking = false
    @State private var failure: AccountError?

    /// - Parameter options: The factors that the project offers.
    public init(
      manager: AccountManager, options: [SecondFactorOption] = [.authenticatorApp]
    ) {
      self.manager = manager
      self.options = options
    }

    public var body: some View {
      Section(text(.secondFactors)) {
        ForEach(factors) { factor in row(factor) }
        Button(text(.addSecondFactor)) { add() }
        if !factors.isEmpty {
          if let count = manager.client.currentUser?.snapshot.recoveryCodesLeft {
            Text(verbatim: "\(text(.recoveryCodesLeft)) \(count)")
          }
          Button(text(.newRecoveryCodes)) { createCodes() }
        }
      }
      .disabled(isWorking || manager.isBusy)
      .sheet(
        isPresented: Binding(get: { enrollment != nil }, set: { if !$0 { enrollment = nil } })
      ) {
        if let enrollment {
          EnrollmentForm(flow: enrollment, options: options, language: language) { _ in
            self.enrollment = nil
          }
        }
      }
      .sheet(
        isPresented: Binding(
          get: { !recoveryCodes.isEmpty }, set: { if !$0 { recoveryCodes = [] } })
      ) {
        Form {
          RecoveryCodeSection(codes: recoveryCodes, language: language) { recoveryCodes = [] }
        }
      }
      .alert(
        text(.didNotWork),
        isPresented: Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
      ) {
        Button(text(.ok), role: .cancel) {}
      } message: {
        Text(verbatim: failure?.suggestion(in: language) ?? "")
      }
    }

    private var factors: [SecondFactor] {
      manager.client.currentUser?.snapshot.secondFactors ?? []
    }

    private func row(_ factor: SecondFactor) -> some View {
      HStack {
        Text(verbatim: factor.title(in: language))
        Spacer()
        Button(text(.remove), role: .destructive) {
          work { user throws(ClientError) in try await user.withdrawSecondFactor(factor.id) }
        }
      }
    }

    private func add() {
      guard let user = manager.client.currentUser else { return }
      enrollment = EnrollmentFlow(
        user.secondFactorSession, accountName: user.snapshot.email ?? user.uid)
    }

    private func createCodes() {
      work { user throws(ClientError) in recoveryCodes = try await user.createRecoveryCodes() }
    }

    private func work(_ body: @escaping (SignedInUser) async throws(ClientError) -> Void) {
      guard let user = manager.client.currentUser else { return }
      isWorking = true
      Task {
        do throws(ClientError) { try await body(user) } catch { failure = .client(error) }
        isWorking = false
      }
    }

    private var language: TextLanguage { TextLanguage(languageCode: locale.identifier) }
    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }
#endif

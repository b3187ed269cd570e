#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// Asks for a second factor: which one, and its code. Adds one if the project requires it.
  struct SecondFactorForm: View {
    @ObservedObject var flow: SecondFactorFlow
    let options: [SecondFactorOption]
    let language: TextLanguage
    /// Called with nil if the user cancels.
    let onEnd: @MainActor (SignInResult?) -> Void

    @State private var code = ""

    var body: some View {
      if let enrollment = flow.enrollment {
        EnrollmentForm(
          flow: enrollment, options: options, language: language, isRequired: true, onEnd: onEnd)
      } else {
        Form {
          question
          if let failure = flow.failure {
            Section { Text(verbatim: failure.suggestion(in: language)) }
          }
          Section {
            if flow.hasOtherFactors {
              Button(text(.otherWay)) {
                code = ""
                flow.chooseAgain()
              }
            }
            Button(text(.cancel), role: .cancel) { onEnd(nil) }
            if flow.isWorking { ProgressView() }
          }
        }
        .disabled(flow.isWorking)
        .interactiveDismissDisabled(flow.isWorking)
      }
    }

    @ViewBuilder private var question: some View {
      switch flow.step {
      case .choose:
        Section(text(.chooseSecondFactor)) {
          ForEach(flow.resolver.factors) { factor in
            Button(factor.title(in: language)) { Task { await flow.choose(factor) } }
          }
          if flow.canUsePasskey {
            Button(text(.usePasskey)) {
              Task { if let result = await flow.usePasskey() { onEnd(result) } }
            }
          }
          if flow.canUseRecoveryCode {
            Button(text(.recoveryCode)) { flow.chooseRecoveryCode() }
          }
        }
      case .authenticator: entry(text(.enterAppCode))
      case .message(let factor, _):
        entry(text(.enterMessageCode))
        Button(text(.sendAgain)) { Task { await flow.choose(factor) } }
      case .recoveryCode: entry(text(.enterRecoveryCode))
      }
    }

    private func entry(_ title: String) -> some View {
      Section(title) {
        CodeField(title: text(.code), code: $code, isNumber: flow.step != .recoveryCode)
        Button(text(.continue)) { submit() }.disabled(code.isEmpty)
      }
    }

    private func submit() {
      let code = code
      Task {
        guard let result = await flow.submit(code) else { return }
        onEnd(result)
      }
    }

    private func text(_ text: InterfaceText) -> String { text.text(in: language) }
  }

  /// A field for a code. The system offers the code of a text message.
  struct CodeField: View {
    let title: String
    @Binding var code: String
    var isNumber = true

    var body: some View {
      #if os(watchOS)
        TextField(title, text: $code).textInputAutocapitalization(.never)
      #elseif os(macOS)
        TextField(title, text: $code).textContentType(isNumber ? .oneTimeCode : nil)
          .autocorrectionDisabled()
      #else
        TextField(title, text: $code).textContentType(isNumber ? .oneTimeCode : nil)
          .keyboardType(isNumber ? .numberPad : .default).textInputAutocapitalization(.never)
          .autocorrectionDisabled()
      #endif
    }
  }

  extension View {
    /// Shows the form while `flow` isn't nil.
    func secondFactorSheet(
      _ flow: SecondFactorFlow?, options: [SecondFactorOption], in language: TextLanguage,
      onEnd: @escaping @MainActor (SignInResult?) -> Void
    ) -> some View {
      sheet(isPresented: Binding(get: { flow != nil }, set: { if !$0 { onEnd(nil) } })) {
        if let flow {
          SecondFactorForm(flow: flow, options: options, language: language, onEnd: onEnd)
        }
      }
    }
  }
#endif

#if canImport(SwiftUI)
  import Foundation
  import GatehouseClient
  import SwiftUI

  #if canImport(CoreImage) && !os(watchOS)
    import CoreImage
  #endif

  /// Adds a second factor, and shows the recovery codes.
  struct EnrollmentForm: View {
    @ObservedObject var flow: EnrollmentFlow
    let options: [SecondFactorOption]
    let language: TextLanguage
    /// Whether the user must add a factor to sign in.
    var isRequired = false
    /// Called with nil if the user cancels.
    let onEnd: @MainActor (SignInResult?) -> Void

    @State private var phoneNumber = ""
    @State private var code = ""

    var body: some View {
      Form {
        content
        if let failure = flow.failure {
          Section { Text(verbatim: failure.suggestion(in: language)) }
        }
        Section {
          if canChooseAgain {
            Button(text(.otherWay)) {
              code = ""
              flow.chooseAgain()
            }
          }
          if !isShowingCodes { Button(text(.cancel), role: .cancel) { onEnd(nil) } }
          if flow.isWorking { ProgressView() }
        }
      }
      .disabled(flow.isWorking)
      .interactiveDismissDisabled(flow.isWorking || isShowingCodes)
    }

    private var isShowingCodes: Bool { if case .recoveryCodes = flow.step { true } else { false } }
    private var canChooseAgain: Bool {
      flow.step != .choose && !isShowingCodes && flow.offered(options).count > 1
    }

    @ViewBuilder private var content: some View {
      switch flow.step {
      case .choose:
        Section(text(isRequired ? .secondFactorRequired : .addSecondFactor)) {
          ForEach(flow.offered(options), id: \.self) { option in
            Button(option.title(in: language)) {
              Task { if let result = await flow.choose(option) { onEnd(result) } }
            }
          }
        }
      case .authenticator(let secret):
        Section(text(.addToAuthenticator)) {
          SecretView(flow: flow, secret: secret, language: language)
        }
        entry(text(.enterAppCode))
      case .phoneNumber:
        Section(text(.textMessage)) {
          TextField(text(.phoneNumber), text: $phoneNumber).phoneNumberEntry()
          Button(text(.continue)) {
            let number = phoneNumber
            Task { await flow.sendCode(to: number) }
          }.disabled(phoneNumber.isEmpty)
        }
      case .message: entry(text(.enterMessageCode))
      case .recoveryCodes(let codes):
        RecoveryCodeSection(codes: codes, language: language) { onEnd(flow.finish()) }
      }
    }

    private func entry(_ title: String) -> some View {
      Section(title) {
        CodeField(title: text(.code), code: $code)
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

  /// The secret of an authenticator app: as a QR code for another device, as a link for this one, and as
  /// text.
  private struct SecretView: View {
    let flow: EnrollmentFlow
    let secret: AuthenticatorSecret
    let language: TextLanguage

    var body: some View {
      if let url {
        #if canImport(CoreImage) && !os(watchOS)
          if let image = QRCode.image(of: url.absoluteString) {
            Image(decorative: image, scale: 1).interpolation(.none).resizable().scaledToFit()
              .frame(maxWidth: 220)
          }
        #endif
        #if !os(tvOS) && !os(watchOS)
          Link(InterfaceText.openAuthenticator.text(in: language), destination: url)
        #endif
      }
      Text(verbatim: secret.sharedSecretKey)
    }

    private var url: URL? {
      secret.url(accountName: flow.accountName, issuer: appName)
    }

    private var appName: String {
      for key in ["CFBundleDisplayName", "CFBundleName"] {
        if let name = Bundle.main.object(forInfoDictionaryKey: key) as? String { return name }
      }
      return ProcessInfo.processInfo.processName
    }
  }

  #if canImport(CoreImage) && !os(watchOS)
    private enum QRCode {
      /// One pixel for each module of the code.
      static func image(of text: String) -> CGImage? {
        guard let filter = CIFilter(name: "CIQRCodeGenerator") else { return nil }
        filter.setValue(Data(text.utf8), forKey: "inputMessage")
        guard let image = filter.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
      }
    }
  #endif

  /// Recovery codes, to be written down.
  struct RecoveryCodeSection: View {
    let codes: [String]
    let language: TextLanguage
    let onSaved: @MainActor () -> Void

    var body: some View {
      Section(InterfaceText.saveRecoveryCodes.text(in: language)) {
        ForEach(codes, id: \.self) { code in Text(verbatim: code).selectable() }
        Button(InterfaceText.savedRecoveryCodes.text(in: language)) { onSaved() }
      }
    }
  }

  extension View {
    fileprivate func phoneNumberEntry() -> some View {
      #if os(watchOS) || os(macOS)
        self
      #else
        textContentType(.telephoneNumber).keyboardType(.phonePad)
      #endif
    }

    fileprivate func selectable() -> some View {
      #if os(tvOS) || os(watchOS)
        self
      #else
        textSelection(.enabled)
      #endif
    }
  }
#endif

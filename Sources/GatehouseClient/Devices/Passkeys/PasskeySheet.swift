#if canImport(AuthenticationServices) && !os(watchOS)
  public import AuthenticationServices
  import Foundation

  /// Passkeys with the system's sheet.
  ///
  /// Only one sheet is shown at a time in the whole app: a second one is refused with
  /// ``DeviceFault/busy``. Cancelling the task closes its sheet, from iOS 16 on.
  @available(tvOS 16, *)
  public final class PasskeySheet: PasskeyAuthorizing {
    /// Returns the window to show the sheet over; nil if there is none.
    public typealias Window = @MainActor @Sendable () -> ASPresentationAnchor?

    private static let turn = Turn()
    private let window: Window

    /// - Parameter window: The window to show the sheet over; asked each time. By default the key
    ///   window of the foreground scene. An app extension must pass its window.
    public init(window: Window? = nil) { self.window = window ?? { ASPresentationAnchor.inFront } }

    public func create(
      _ creation: PasskeyCreation, quietly: Bool
    ) async throws(DeviceFault) -> PasskeyRegistration {
      let answer = try await perform(quietly ? .quiet : .sheet) { () throws(DeviceFault) in
        let request = Self.provider(creation.relyingPartyID).createCredentialRegistrationRequest(
          challenge: creation.challenge, name: creation.userName, userID: creation.userHandle)
        request.userVerificationPreference =
          creation.requiresUserVerification ? .required : .preferred
        #if !os(tvOS)
          if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) {
            request.excludedCredentials = creation.excluded.map {
              ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
            }
          }
          if quietly {
            guard #available(iOS 18, macOS 15, visionOS 2, *) else {
              throw .unavailable(detail: "This system creates no passkey quietly")
            }
            request.requestStyle = .conditional
          }
        #else
          if quietly { throw .unavailable(detail: "This system creates no passkey quietly") }
        #endif
        return request
      }
      guard case .registration(let registration) = answer else {
        throw .failed(detail: "The sheet answered with another kind of credential")
      }
      return registration
    }

    /// Source: <https://developer.apple.com/documentation/authenticationservices/asauthorizationaccountcreationprovider>
    public func createAccount(
      _ creation: PasskeyCreation
    ) async throws(DeviceFault) -> PasskeyAccountAnswer {
      #if !os(tvOS)
        if #available(iOS 26, macOS 26, visionOS 26, *) {
          let answer = try await perform(.sheet) { () throws(DeviceFault) in
            ASAuthorizationAccountCreationProvider()
              .createPlatformPublicKeyCredentialRegistrationRequest(
                acceptedContactIdentifiers: [.email], shouldRequestName: true,
                relyingPartyIdentifier: creation.relyingPartyID, challenge: creation.challenge,
                userID: creation.userHandle)
          }
          guard case .account(let account) = answer else {
            throw .failed(detail: "The sheet answered with another kind of credential")
          }
          return account
        }
      #endif
      return .created(PasskeyAccount(registration: try await create(creation, quietly: false)))
    }

    public func sign(
      _ request: PasskeyRequest, _ style: PasskeySignInStyle
    ) async throws(DeviceFault) -> PasskeyAssertion {
      let answer = try await perform(style.performance) { () throws(DeviceFault) in
        let assertion = Self.provider(request.relyingPartyID).createCredentialAssertionRequest(
          challenge: request.challenge)
        assertion.allowedCredentials = request.allowed.map {
          ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
        }
        assertion.userVerificationPreference =
          request.requiresUserVerification ? .required : .preferred
        return assertion
      }
      guard case .assertion(let assertion) = answer else {
        throw .failed(detail: "The sheet answered with another kind of credential")
      }
      return assertion
    }

    public func keep(_ passkeys: [Passkey], of relyingPartyID: String) async {
      #if !os(tvOS)
        guard let userHandle = passkeys.lazy.compactMap(\.userHandle).first else { return }
        if #available(iOS 26, macOS 26, visionOS 26, *) {
          // The system's list is a convenience: a failure changes nothing for the user's account.
          try? await ASCredentialUpdater().reportAllAcceptedPublicKeyCredentials(
            relyingPartyIdentifier: relyingPartyID, userHandle: userHandle,
            acceptedCredentialIDs: passkeys.compactMap { Data(base64Encoded: $0.id) })
        }
      #endif
    }

    private static func provider(
      _ relyingPartyID: String
    ) -> ASAuthorizationPlatformPublicKeyCredentialProvider {
      ASAuthorizationPlatformPublicKeyCredentialProvider(
        relyingPartyIdentifier: relyingPartyID)
    }

    enum Performance {
      case sheet, sheetIfAvailable, autoFill
      /// Shows nothing at all.
      case quiet
    }

    @MainActor private func perform(
      _ performance: Performance,
      _ request: @MainActor () throws(DeviceFault) -> ASAuthorizationRequest
    ) async throws(DeviceFault) -> PasskeyAnswer {
      guard let anchor = window() else {
        throw .unavailable(detail: "There is no window to show the sheet over")
      }
      let delegate = PasskeySheetDelegate(anchor: anchor)
      let controller = ASAuthorizationController(authorizationRequests: [try request()])
      controller.delegate = delegate
      controller.presentationContextProvider = delegate
      // Suggestions stay while the user does something else, also in another sheet.
      if performance == .autoFill {
        return try await Self.run(controller, performance, delegate)
      }
      return try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        try await Self.run(controller, performance, delegate)
      }
    }

    @MainActor private static func run(
      _ controller: ASAuthorizationController, _ performance: Performance,
      _ delegate: PasskeySheetDelegate
    ) async throws(DeviceFault) -> PasskeyAnswer {
      switch performance {
      case .sheet, .quiet: controller.performRequests()
      case .sheetIfAvailable:
        #if os(tvOS)
          controller.performRequests()
        #else
          if #available(iOS 16, macOS 13, *) {
            controller.performRequests(options: .preferImmediatelyAvailableCredentials)
          } else {
            controller.performRequests()
          }
        #endif
      case .autoFill:
        #if os(iOS) || os(visionOS)
          guard #available(iOS 16, *) else {
            throw .unavailable(detail: "This system suggests no passkeys")
          }
          controller.performAutoFillAssistedRequests()
        #else
          throw .unavailable(detail: "This system suggests no passkeys")
        #endif
      }
      defer {
        // The controller holds its delegate weakly.
        withExtendedLifetime(delegate) {}
        if Task.isCancelled, #available(iOS 16, macOS 13, *) { controller.cancel() }
      }
      return try await delegate.answer.value()
    }
  }

  extension PasskeySignInStyle {
    @available(tvOS 16, *)
    fileprivate var performance: PasskeySheet.Performance {
      switch self {
      case .sheet: .sheet
      case .sheetIfAvailable: .sheetIfAvailable
      case .autoFill: .autoFill
      }
    }
  }

  enum PasskeyAnswer: Sendable {
    case registration(PasskeyRegistration)
    case account(PasskeyAccountAnswer)
    case assertion(PasskeyAssertion)
  }

  /// Copies the values of the system's classes, which must stay on the main actor.
  @MainActor @available(tvOS 16, *)
  private final class PasskeySheetDelegate: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
  {
    let answer = SheetAnswer<PasskeyAnswer>()
    private let anchor: ASPresentationAnchor

    init(anchor: ASPresentationAnchor) { self.anchor = anchor }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
      anchor
    }

    func authorizationController(
      controller: ASAuthorizationController,
      didCompleteWithAuthorization authorization: ASAuthorization
    ) {
      switch authorization.credential {
      case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
        guard let registration = PasskeyRegistration(credential) else {
          return answer.give(.failure(.failed(detail: "The new passkey has no attestation")))
        }
        answer.give(.success(.registration(registration)))
      case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
        answer.give(.success(.assertion(PasskeyAssertion(credential))))
      default:
        #if !os(tvOS)
          if #available(iOS 26, macOS 26, visionOS 26, *),
            let credential = authorization.credential
              as? ASAuthorizationAccountCreationPlatformPublicKeyCredential
          {
            guard let account = PasskeyAccount(credential) else {
              return answer.give(.failure(.failed(detail: "The new passkey has no attestation")))
            }
            return answer.give(.success(.account(.created(account))))
          }
        #endif
        answer.give(.failure(.failed(detail: "The sheet answered with another kind of credential")))
      }
    }

    func authorizationController(
      controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
      // `preferSignInWithApple`, which earlier systems don't name.
      if (error as? ASAuthorizationError)?.code.rawValue == 1009 {
        return answer.give(.success(.account(.prefersApple)))
      }
      answer.give(.failure(Self.fault(error)))
    }

    private static func fault(_ error: any Error) -> DeviceFault {
      guard let error = error as? ASAuthorizationError else {
        let error = error as NSError
        return .failed(detail: "\(error.domain) \(error.code)")
      }
      switch error.code {
      case .canceled: return .cancelled
      case .unknown, .notInteractive:
        return .unavailable(detail: "ASAuthorizationError \(error.code.rawValue)")
      default:
        // Earlier systems have no names for these codes.
        return switch error.code.rawValue {
        // `matchedExcludedCredential`
        case 1006: .unavailable(detail: "The device has a passkey of this account")
        // `deviceNotConfiguredForPasskeyCreation`
        case 1010: .unavailable(detail: "The device isn't set up for passkeys")
        default: .failed(detail: "ASAuthorizationError \(error.code.rawValue)")
        }
      }
    }
  }

  @available(tvOS 16, *)
  extension PasskeyRegistration {
    /// Nil without an attestation object.
    package init?(_ credential: ASAuthorizationPlatformPublicKeyCredentialRegistration) {
      guard let attestation = credential.rawAttestationObject else { return nil }
      self.init(
        credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
        attestationObject: attestation)
    }
  }

  #if !os(tvOS)
    @available(iOS 26, macOS 26, visionOS 26, *)
    extension PasskeyAccount {
      /// Nil without an attestation object.
      fileprivate init?(
        _ credential: ASAuthorizationAccountCreationPlatformPublicKeyCredential
      ) {
        guard let registration = PasskeyRegistration(credential.credentialRegistration) else {
          return nil
        }
        self.init(registration: registration)
        if case .email(let email) = credential.contactIdentifier { self.email = email.value }
        let name = credential.name.map {
          PersonName(givenName: $0.givenName, familyName: $0.familyName)
        }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
      }
    }
  #endif

  @available(tvOS 16, *)
  extension PasskeyAssertion {
    package init(_ credential: ASAuthorizationPlatformPublicKeyCredentialAssertion) {
      self.init(
        credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
        authenticatorData: credential.rawAuthenticatorData, signature: credential.signature,
        userHandle: credential.userID)
    }
  }
#endif

#if !os(watchOS)
  public import Foundation
  import SimulatedDevice

  // Passkeys. The simulated device has none of its own: a test sets what it answers.

  public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable,
    Hashable, Sendable
  {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let preferred = Self(rawValue: "preferred")
    public static let required = Self(rawValue: "required")
    public static let discouraged = Self(rawValue: "discouraged")
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    public var credentialID: Data
    public init(credentialID: Data) { self.credentialID = credentialID }
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject,
    ASAuthorizationProvider
  {
    public let relyingPartyIdentifier: String

    public init(relyingPartyIdentifier: String) {
      self.relyingPartyIdentifier = relyingPartyIdentifier
    }

    public func createCredentialRegistrationRequest(
      challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
      ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(
        provider: self, challenge: challenge, name: name, userID: userID)
    }

    public func createCredentialAssertionRequest(
      challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
      ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(
        provider: self, challenge: challenge)
    }
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
    ASAuthorizationRequest
  {
    public var challenge: Data
    public var name: String
    public var userID: Data
    public var userVerificationPreference =
      ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    #if !os(tvOS)
      @available(iOS 17.4, macOS 14.4, visionOS 1.1, *)
      public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? {
        get { excluded }
        set { excluded = newValue }
      }

      @available(iOS 18, macOS 15, visionOS 2, *)
      public enum RequestStyle: Int, Sendable { case standard, conditional }

      @available(iOS 18, macOS 15, visionOS 2, *)
      public var requestStyle: RequestStyle {
        get { isConditional ? .conditional : .standard }
        set { isConditional = newValue == .conditional }
      }
    #endif
    private var excluded: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
    private var isConditional = false

    init(
      provider: any ASAuthorizationProvider, challenge: Data, name: String, userID: Data
    ) {
      self.challenge = challenge
      self.name = name
      self.userID = userID
      super.init(provider: provider)
    }
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest:
    ASAuthorizationRequest
  {
    public var challenge: Data
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    public var userVerificationPreference =
      ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred

    init(provider: any ASAuthorizationProvider, challenge: Data) {
      self.challenge = challenge
      super.init(provider: provider)
    }
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject,
    ASAuthorizationCredential
  {
    public let credentialID: Data
    public let rawClientDataJSON: Data
    public let rawAttestationObject: Data?

    /// Only here: the system creates them.
    public init(simulated credentialID: Data, clientDataJSON: Data, attestationObject: Data?) {
      self.credentialID = credentialID
      rawClientDataJSON = clientDataJSON
      rawAttestationObject = attestationObject
    }
  }

  @available(tvOS 16, *)
  public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject,
    ASAuthorizationCredential
  {
    public let credentialID: Data
    public let rawClientDataJSON: Data
    public let rawAuthenticatorData: Data!
    public let signature: Data!
    public let userID: Data!

    /// Only here: the system creates them.
    public init(
      simulated credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data,
      userID: Data
    ) {
      self.credentialID = credentialID
      rawClientDataJSON = clientDataJSON
      rawAuthenticatorData = authenticatorData
      self.signature = signature
      self.userID = userID
    }
  }

  #if !os(tvOS)
    @available(iOS 26, macOS 26, visionOS 26, *)
    public enum ASContactIdentifierRequest: Hashable, Sendable { case email, phoneNumber }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public struct ASEmailIdentifier: Sendable { public var value: String }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public struct ASPhoneNumberIdentifier: Sendable { public var value: String }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public enum ASContactIdentifier: Sendable {
      case email(ASEmailIdentifier)
      case phoneNumber(ASPhoneNumberIdentifier)
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public final class ASAuthorizationAccountCreationProvider: NSObject, ASAuthorizationProvider {
      public func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [ASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
      ) -> ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
          provider: self, acceptedContactIdentifiers: acceptedContactIdentifiers,
          shouldRequestName: shouldRequestName, relyingPartyIdentifier: relyingPartyIdentifier,
          challenge: challenge, userID: userID)
      }
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public final class ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest:
      ASAuthorizationRequest
    {
      public let acceptedContactIdentifiers: [ASContactIdentifierRequest]
      public let shouldRequestName: Bool
      public let relyingPartyIdentifier: String
      public let challenge: Data
      public let userID: Data

      init(
        provider: any ASAuthorizationProvider,
        acceptedContactIdentifiers: [ASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
      ) {
        self.acceptedContactIdentifiers = acceptedContactIdentifiers
        self.shouldRequestName = shouldRequestName
        self.relyingPartyIdentifier = relyingPartyIdentifier
        self.challenge = challenge
        self.userID = userID
        super.init(provider: provider)
      }
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public final class ASAuthorizationAccountCreationPlatformPublicKeyCredential: NSObject,
      ASAuthorizationCredential
    {
      public let contactIdentifier: ASContactIdentifier
      public let credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration
      public let name: PersonNameComponents?

      /// Only here: the system creates them.
      init(
        simulated email: String, name: PersonNameComponents?,
        _ registration: ASAuthorizationPlatformPublicKeyCredentialRegistration
      ) {
        contactIdentifier = .email(ASEmailIdentifier(value: email))
        credentialRegistration = registration
        self.name = name
      }
    }

    @available(iOS 26, macOS 26, visionOS 26, *)
    public struct ASCredentialUpdater: Sendable {
      public init() {}
      public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
      ) async throws { SimulatedDevice.acceptedPasskeys = acceptedCredentialIDs }
    }
  #endif

  /// What the simulated device answers: always the same passkey, whose signature no server accepts.
  @available(tvOS 16, *)
  enum PasskeyAnswer {
    static let credentialID = Data("simulated passkey".utf8)

    #if !os(tvOS)
      @available(iOS 26, macOS 26, visionOS 26, *)
      private static func account(
        _ request: ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest
      ) throws -> ASAuthorization {
        if SimulatedDevice.current.prefersAppleToPasskey {
          throw ASAuthorizationError(.preferSignInWithApple)
        }
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Alice", "Example")
        return ASAuthorization(
          provider: request.provider,
          credential: ASAuthorizationAccountCreationPlatformPublicKeyCredential(
            simulated: "alice@example.com", name: request.shouldRequestName ? name : nil,
            ASAuthorizationPlatformPublicKeyCredentialRegistration(
              simulated: credentialID, clientDataJSON: request.challenge,
              attestationObject: Data("account".utf8))))
      }
    #endif

    static func answer(_ requests: [ASAuthorizationRequest]) throws -> ASAuthorization? {
      for request in requests {
        #if !os(tvOS)
          if #available(iOS 26, macOS 26, visionOS 26, *),
            let request = request
              as? ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest
          {
            return try account(request)
          }
        #endif
        switch request {
        case let request as ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
          return ASAuthorization(
            provider: request.provider,
            credential: ASAuthorizationPlatformPublicKeyCredentialRegistration(
              simulated: credentialID, clientDataJSON: request.challenge,
              attestationObject: Data(request.name.utf8)))
        case let request as ASAuthorizationPlatformPublicKeyCredentialAssertionRequest:
          return ASAuthorization(
            provider: request.provider,
            credential: ASAuthorizationPlatformPublicKeyCredentialAssertion(
              simulated: credentialID, clientDataJSON: request.challenge,
              authenticatorData: Data("data".utf8), signature: Data("signature".utf8),
              userID: Data("handle".utf8)))
        default: continue
        }
      }
      return nil
    }
  }
#endif

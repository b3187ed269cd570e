/// A credential with which to sign in, link or re-authenticate.
public enum Credential: Sendable, Hashable {
  case identityProvider(IdentityProviderCredential)
  case password(email: String, password: String)
  /// The complete link from the email.
  case emailLink(email: String, link: String)
  /// The code in the link, or the one that ``EmailCodeSession/actionCode(digits:)`` returns.
  case emailCode(email: String, code: String)
  case phoneNumber(PhoneCredential)
  /// The device's answer to ``AuthClient/startPasskeySignIn(email:)``, or for a re-authentication to
  /// ``SignedInUser/startPasskeyReauthentication()``. Can't be linked: see
  /// ``SignedInUser/addPasskey(_:name:)``.
  case passkey(PasskeyAssertion)

  public var provider: Provider {
    switch self {
    case .identityProvider(let credential): credential.provider
    case .password, .emailLink, .emailCode: .password
    case .phoneNumber: .phone
    case .passkey: .passkey
    }
  }

  /// Whether it shows only that the user can read mail at the address.
  var isEmailed: Bool {
    switch self {
    case .emailLink, .emailCode: true
    case .identityProvider, .password, .phoneNumber, .passkey: false
    }
  }
}

/// A user's name, which Apple's sheet returns only once.
public struct PersonName: Sendable, Hashable, Codable {
  public var givenName: String?
  public var familyName: String?

  public init(givenName: String? = nil, familyName: String? = nil) {
    self.givenName = givenName
    self.familyName = familyName
  }

  public var isEmpty: Bool { (givenName ?? "").isEmpty && (familyName ?? "").isEmpty }
}

/// A credential from an identity provider, or the result of a sign-in in a browser.
public struct IdentityProviderCredential: Sendable, Hashable {
  public var provider: Provider
  public var idToken: String?
  public var accessToken: String?
  /// The nonce itself; the provider got its SHA-256.
  public var rawNonce: String?
  /// The session id that the server returned with its nonce: see ``AuthClient/issueNonce()``.
  public var nonceSessionID: String?
  public var secret: String?
  /// Apple's authorization code. The server exchanges it, so that it can revoke later.
  public var authorizationCode: String?
  public var fullName: PersonName?
  /// The email address beside the token, which Apple's sheet returns only once.
  public var email: String?
  /// The real user status that Apple's sheet returned. If the ID token has the claim, the server
  /// uses the claim instead.
  public var realUserStatus: RealUserStatus?
  /// The server's token for an identity that it has verified. Sent in place of the other values.
  /// Valid for ten minutes.
  public var pendingToken: String?
  /// The result of a sign-in in a browser.
  public var redirect: RedirectAnswer?

  public init(provider: Provider) { self.provider = provider }
}

/// The result of a sign-in in a browser: the URL at which the browser returned, and the session id
/// with which the sign-in began.
public struct RedirectAnswer: Sendable, Hashable {
  public var requestURI: String
  public var sessionID: String

  public init(requestURI: String, sessionID: String) {
    self.requestURI = requestURI
    self.sessionID = sessionID
  }
}

extension Credential {
  /// - Parameters:
  ///   - nonce: The raw nonce whose SHA-256 was in the request to Apple.
  ///   - fullName: The name from the sheet. The client stores it until the server has it.
  public static func apple(
    idToken: String, nonce: Nonce?, fullName: PersonName? = nil, authorizationCode: String? = nil
  ) -> Credential {
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = idToken
    credential.rawNonce = nonce?.raw
    credential.fullName = fullName
    credential.authorizationCode = authorizationCode
    return .identityProvider(credential)
  }

  public static func google(idToken: String, accessToken: String? = nil, nonce: Nonce? = nil)
    -> Credential
  {
    var credential = IdentityProviderCredential(provider: .google)
    credential.idToken = idToken
    credential.accessToken = accessToken
    credential.rawNonce = nonce?.raw
    return .identityProvider(credential)
  }

  public static func facebook(accessToken: String) -> Credential {
    var credential = IdentityProviderCredential(provider: .facebook)
    credential.accessToken = accessToken
    return .identityProvider(credential)
  }

  /// - Parameter accessToken: A token for the OAuth app in the project's configuration. GitHub has
  ///   no ID tokens.
  public static func github(accessToken: String) -> Credential {
    var credential = IdentityProviderCredential(provider: .github)
    credential.accessToken = accessToken
    return .identityProvider(credential)
  }

  /// - Parameter provider: The provider's id in the project's configuration, such as
  ///   `oidc.example`.
  public static func openIDConnect(
    _ provider: Provider, idToken: String, nonce: Nonce? = nil, accessToken: String? = nil
  ) -> Credential {
    var credential = IdentityProviderCredential(provider: provider)
    credential.idToken = idToken
    credential.rawNonce = nonce?.raw
    credential.accessToken = accessToken
    return .identityProvider(credential)
  }
}

extension RedirectAnswer: CustomStringConvertible, CustomReflectable {
  public var description: String { "RedirectAnswer" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Secrets stay out of logs.
extension IdentityProviderCredential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "IdentityProviderCredential(\(provider))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Credential(\(provider))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}

/// `accounts:createAuthUri`: requests the sign-in methods of an email address, or the URL of a
/// provider's sign-in page.
public struct CreateAuthURIRequest: WireMessage {
  public var identifier: String?
  public var continueURI: String?
  public var providerID: String?
  public var sessionID: String?
  public var tenantID: String?
  /// Additional scopes, separated by commas or spaces. Or the text of a JSON object: the members'
  /// names are provider ids, and their values are such lists.
  public var oauthScope: String?
  /// Additional parameters of the authorization request, in the given order.
  public var customParameters: [(name: String, value: String)] = []

  /// Requests the sign-in methods of the email address `identifier`.
  public init(identifier: String, continueURI: String) {
    self.identifier = identifier
    self.continueURI = continueURI
  }

  public init(_ fields: WireFields) throws(WireError) {
    identifier = try fields.nonEmptyString("identifier")
    continueURI = try fields.nonEmptyString("continueUri")
    providerID = try fields.nonEmptyString("providerId")
    sessionID = try fields.nonEmptyString("sessionId")
    tenantID = try fields.nonEmptyString("tenantId")
    oauthScope = try fields.nonEmptyString("oauthScope")
    customParameters = try fields.texts("customParameter") ?? []
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("identifier", ifPresent: identifier)
    writer.member("continueUri", ifPresent: continueURI)
    writer.member("providerId", ifPresent: providerID)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("tenantId", ifPresent: tenantID)
    writer.member("oauthScope", ifPresent: oauthScope)
    guard !customParameters.isEmpty else { return }
    writer.object("customParameter") { parameters in
      for (name, value) in customParameters { parameters.member(name, value) }
    }
  }

  /// The scopes of ``oauthScope`` for a provider.
  public func scopes(of providerID: String) -> [String] {
    guard let oauthScope else { return [] }
    let ofProviders = oauthScope.utf8.first == UInt8(ascii: "{")
    let list =
      ofProviders
      ? (try? JSONValue(parsing: oauthScope, limits: Self.scopeLimits))?[providerID]?.string ?? ""
      : oauthScope
    return list.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static let scopeLimits = JSONLimits(bytes: 8192, depth: 2, values: 32)
}

public struct CreateAuthURIResponse: WireMessage {
  public var sessionID: String
  /// Nil if the project doesn't reveal whether an address has an account.
  public var registration: Registration?
  public var redirect: Redirect?

  public init(sessionID: String, registration: Registration? = nil) {
    self.sessionID = sessionID
    self.registration = registration
  }

  /// An absent text or list is read as an empty one.
  public init(_ fields: WireFields) throws(WireError) {
    sessionID = try fields.string("sessionId") ?? ""
    if fields.contains("registered") || fields.contains("signinMethods") {
      registration = Registration(
        isRegistered: try fields.bool("registered") ?? false,
        providers: try fields.strings("allProviders"),
        signInMethods: try fields.strings("signinMethods"))
    }
    if let authURI = try fields.nonEmptyString("authUri") {
      redirect = Redirect(providerID: try fields.string("providerId") ?? "", authURI: authURI)
    }
  }

  /// Where to send the browser.
  public struct Redirect: Hashable, Sendable {
    public var providerID: String
    public var authURI: String

    public init(providerID: String, authURI: String) {
      self.providerID = providerID
      self.authURI = authURI
    }
  }

  public struct Registration: Hashable, Sendable {
    public var isRegistered: Bool
    public var providers: [String]
    public var signInMethods: [String]

    public init(isRegistered: Bool, providers: [String], signInMethods: [String]) {
      self.isRegistered = isRegistered
      self.providers = providers
      self.signInMethods = signInMethods
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#CreateAuthUriResponse")
    if let registration {
      writer.member("registered", registration.isRegistered)
      writer.member("allProviders", registration.providers)
      writer.member("signinMethods", registration.signInMethods)
    }
    if let redirect {
      writer.member("providerId", redirect.providerID)
      writer.member("authUri", redirect.authURI)
    }
    writer.member("sessionId", sessionID)
  }
}

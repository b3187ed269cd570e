public import GatehouseJSON

/// `accounts:createAuthUri`: which ways an address can sign in, or where a redirect begins.
public struct CreateAuthURIRequest: WireRequest {
  public var identifier: String?
  public var continueURI: String?
  public var providerID: String?
  public var sessionID: String?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    identifier = try fields.nonEmptyString("identifier")
    continueURI = try fields.nonEmptyString("continueUri")
    providerID = try fields.nonEmptyString("providerId")
    sessionID = try fields.nonEmptyString("sessionId")
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

public struct CreateAuthURIResponse: WireResponse {
  public var sessionID: String
  /// Nil where the project doesn't tell whether an address has an account.
  public var registration: Registration?

  public init(sessionID: String, registration: Registration? = nil) {
    self.sessionID = sessionID
    self.registration = registration
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
      if !registration.providers.isEmpty { writer.member("allProviders", registration.providers) }
      if !registration.signInMethods.isEmpty {
        writer.member("signinMethods", registration.signInMethods)
      }
    }
    writer.member("sessionId", sessionID)
  }
}

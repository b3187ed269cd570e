import GatehouseProtocol

/// `accounts:createAuthUri`: with an `identifier`, the sign-in methods of an email address; with a
/// `providerId`, the URL of the provider's sign-in page.
///
/// If the project has enumeration protection, the response reveals nothing about the address.
struct CreateAuthURI: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    Route.account("createAuthUri", v3: "createAuthUri", answer)
  }

  private static let maximumSessionBytes = 1024

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(CreateAuthURIRequest.self)
    let project = try call.requireProject()
    if request.identifier == nil, request.providerID == nil {
      throw APIError.refused(.missingIdentifier)
    }
    guard let continueURI = request.continueURI else {
      throw APIError.refused(.missingContinueURI)
    }
    let sessionID = request.sessionID ?? Self.randomSessionID()
    guard sessionID.utf8.count <= Self.maximumSessionBytes else {
      throw APIError.refused(.invalidArgument, "The sessionId is too long.")
    }
    var response = CreateAuthURIResponse(sessionID: sessionID)
    if let identifier = request.identifier {
      response.registration = try await registration(
        of: identifier, continueURI: continueURI, in: project)
    }
    if let providerID = request.providerID {
      response.redirect = try await redirect(
        to: providerID, continueURI, sessionID: sessionID, request, project, call)
    }
    return Answer(response)
  }

  private func registration(
    of identifier: String, continueURI: String, in project: Project
  ) async throws -> CreateAuthURIResponse.Registration? {
    guard let email = EmailAddress(identifier) else {
      throw APIError.refused(.invalidIdentifier)
    }
    // The server redirects no browser to this URL, so every scheme and host is accepted.
    guard Self.isAbsolute(continueURI) else { throw APIError.refused(.invalidContinueURI) }
    guard !project.policies.protectsEmails else { return nil }
    let methods = try await services.accounts.signInMethods(of: email, in: project)
    return CreateAuthURIResponse.Registration(
      isRegistered: methods != nil, providers: methods?.providerNames ?? [],
      signInMethods: methods?.names ?? [])
  }

  /// The provider redirects the browser to `continueURI`, not to this server. The app then calls
  /// `signInWithIdp` with that URL as `requestUri`, and with the session id.
  private func redirect(
    to providerID: String, _ continueURI: String, sessionID: String,
    _ request: CreateAuthURIRequest, _ project: Project, _ call: Call
  ) async throws -> CreateAuthURIResponse.Redirect {
    let addresses = try await ReturnAddresses.of(
      project, services, configuration)
    do throws(ReturnAddresses.Fault) {
      try addresses.check(continueURI)
    } catch {
      switch error {
      case .form:
        throw APIError.refused(.invalidContinueURI, "It has to be an absolute URL.")
      case .notAuthorized:
        throw APIError.refused(
          .unauthorizedDomain,
          "The continueUri doesn't belong to an authorized domain or app of the project."
        )
      }
    }
    var wish = BrowserRedirect.Wish(
      providerID: providerID, redirectURI: continueURI,
      sessionDigest: BrowserSignIn.digest(ofSession: sessionID))
    wish.scopes = request.scopes(of: providerID)
    wish.parameters = request.customParameters
    wish.allowsAnyParameter = call.isAdministrator || configuration.development != nil
    let (signIn, url) = try await BrowserRedirect(services: services).begin(
      wish, in: project, call)
    return CreateAuthURIResponse.Redirect(providerID: signIn.provider.text, authURI: url)
  }

  /// `scheme://host…` (RFC 3986 §3).
  private static func isAbsolute(_ uri: String) -> Bool {
    guard let separator = uri.firstRange(of: "://") else { return false }
    let scheme = uri[..<separator.lowerBound].utf8
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
    let host = uri[separator.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) }
    return scheme.first.map(isLetter) == true && !host.isEmpty
      && scheme.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      }
      && uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func randomSessionID() -> String {
    var generator = SystemRandomNumberGenerator()
    return UID(using: &generator).text
  }
}

extension SignInMethods {
  /// A password and an email link are two methods of one provider.
  fileprivate var providerNames: [String] {
    (password || emailLink ? [ProviderID.password.text] : []) + providers.map(\.text)
  }

  fileprivate var names: [String] {
    (password ? [ProviderID.password.text] : []) + (emailLink ? ["emailLink"] : [])
      + providers.map(\.text)
  }
}

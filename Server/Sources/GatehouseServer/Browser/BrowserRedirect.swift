import GatehouseProtocol
import Logging

/// Sends a browser to a provider. Used by `createAuthUri` and the handler.
struct BrowserRedirect: Sendable {
  let services: APIServices

  /// The values of the request, in addition to the project's configuration.
  struct Wish: Sendable {
    var providerID: String
    var redirectURI: String
    /// Nil for a page: see `BrowserSignIn.ownSessionID`.
    var sessionDigest: [UInt8]?
    var destination: BrowserSignIn.Destination?
    var scopes: [String] = []
    var parameters: [(name: String, value: String)] = []
    /// See `AuthorizationParameters`.
    var allowsAnyParameter = false
    /// The bundle id of the requesting app, which may have its own client at the provider.
    var bundleID: String?
  }

  /// - Returns: The sign-in, and the URL of the provider's page.
  /// - Throws: ``APIError`` with `OPERATION_NOT_ALLOWED` or `INVALID_ARGUMENT`,
  ///   `AccountsError.providerDisabled`, `FederationError`.
  func begin(
    _ wish: Wish, in project: Project, _ call: Call
  ) async throws -> (signIn: BrowserSignIn, url: String) {
    let provider = try await services.configuration(wish.providerID, in: project)
    let configuration = provider.used(byAppWith: wish.bundleID)
    guard AuthorizationParameters.areScopes(wish.scopes) else {
      throw APIError.refused(.invalidArgument, "A scope is malformed, or there are too many.")
    }
    try Self.check(wish, configuration)
    let plan = try await services.federation.authorizationPlan(for: configuration, now: call.now)
    if plan.response == .idToken {
      // OAuth 2.0 Security Best Current Practice (RFC 9700 §2.1.2): the token passes through the
      // browser.
      call.logger.notice(
        """
        a provider uses the implicit flow, so its ID token passes through the browser; to use the \
        code flow (--response-type), set a client secret or key, or declare the client public
        """,
        metadata: ["provider": "\(configuration.id)", "project": "\(project.id)"])
    }
    var start = BrowserSignIn.Start(
      provider: configuration.id, redirectURI: wish.redirectURI,
      sessionDigest: wish.sessionDigest)
    start.response = plan.response == .code ? .code : .idToken
    start.usesPKCE = plan.usesPKCE
    start.destination = wish.destination
    if !configuration.clientID.hasSameBytes(as: provider.clientID) {
      start.clientID = configuration.clientID
    }
    start.demand = AuthenticationDemand(parameters: wish.parameters) ?? AuthenticationDemand()
    let (signIn, state) = try services.accounts.beginBrowserSignIn(
      start, in: project, now: call.now)
    var request = AuthorizationRequest(
      redirectURI: signIn.redirectURI, state: state, rawNonce: signIn.nonce,
      codeVerifier: signIn.codeVerifier)
    request.scopes = wish.scopes
    request.parameters = wish.parameters
    request.comesToUs = wish.destination != nil
    return (signIn, plan.url(request))
  }

  private static func check(
    _ wish: Wish, _ configuration: ProviderConfiguration
  ) throws(APIError) {
    do throws(AuthorizationParameters.Fault) {
      try AuthorizationParameters.check(
        wish.parameters, allowing: configuration.allowedParameters,
        allowsAny: wish.allowsAnyParameter)
    } catch {
      switch error {
      case .reserved(let name):
        throw .refused(.invalidArgument, "Only the server may set the parameter \(name).")
      case .notAllowed(let name):
        throw .refused(
          .invalidArgument,
          "The parameter \(name) isn't one that apps may set. Its name can be added to "
            + "the provider's allowedParameters.")
      case .form:
        throw .refused(
          .invalidArgument, "A custom parameter is malformed or repeated, or there are too many.")
      }
    }
  }
}

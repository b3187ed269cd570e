import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// A kind of provider: how it is asked, and what its answers mean.
///
/// One folder each. To add a kind, write its folder and name it in ``IdentityProviders/all``. What
/// a kind doesn't say is as OAuth 2.0 and OpenID Connect have it.
///
/// A value holds the kind's endpoints and nothing of a project: every function gets the project's
/// configuration with its ``ProviderContext``.
protocol IdentityProvider: Sendable {
  static var kind: ProviderKind { get }

  /// The vendor itself.
  init()

  /// A stand-in for the vendor, which is reached at `baseURL`; nil unless that is a URL of the form that
  /// ``OutboundURL`` takes.
  init?(baseURL: String)

  /// What is wrong with a configuration, beyond what holds for every kind.
  ///
  /// - Parameter allowsPlainHTTP: For an issuer on loopback, in `--dev`.
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault]

  // MARK: ID tokens

  /// What its ID tokens are checked against; nil if it issues none.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)``.
  func idTokenRules(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> IDTokenRules?

  /// Maps the claims of a token that was verified and belongs to its request.
  ///
  /// - Parameter credential: What came with the token: a name, an access token.
  func identity(
    of token: VerifiedIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity

  /// Whether a sign-in with `credential` may call the provider about it, whatever is cached.
  func asks(about credential: IdPCredential) -> Bool

  // MARK: Sign-in in a browser

  /// How to ask for a sign-in.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` for whatever the flow
  ///   would fail for later, such as a client secret; ``FederationError/unreachable(_:)`` for a
  ///   provider with discovery.
  func authorizationPlan(
    in context: ProviderContext
  ) async throws(FederationError) -> AuthorizationPlan

  /// Accepted values of `iss` in answers that come through a browser (RFC 9207), byte for byte.
  func answerIssuers(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [String]

  /// Whether the provider says that each of its answers names its issuer (RFC 9207 §3).
  func alwaysNamesIssuer(in context: ProviderContext) async throws(FederationError) -> Bool

  // MARK: Codes and tokens

  /// Where codes are exchanged and tokens revoked, and as which client.
  ///
  /// - Parameters:
  ///   - clientID: The client that the code or token was issued to, if it is known.
  ///   - redirectURI: Of the authorization request, if it had one.
  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints

  /// Revokes a token; the default is RFC 7009.
  func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String?, in context: ProviderContext
  ) async throws(FederationError)

  // MARK: Diagnosis

  /// Tests what proves to the provider who we are, and what else is configured for it.
  func clientFindings(in context: ProviderContext) async -> [Finding]
}

/// A provider that can be asked whose an access token is. An access token says nothing by itself: what
/// it says, and for which app it was issued, only the provider knows.
protocol AccessTokenProvider: IdentityProvider {
  /// Whether a code of a browser's sign-in gives an access token that identifies the user, instead of
  /// an ID token.
  var identifiesByAccessToken: Bool { get }

  /// Asks the provider at each sign-in; nothing of the answer is kept.
  ///
  /// Doesn't look at a nonce, which an access token can't have: the caller refuses where one is
  /// required.
  ///
  /// - Throws: ``FederationError/accessToken(_:)`` for a token that signs no user in.
  func identity(
    ofAccessToken accessToken: Secret<String>, in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity
}

/// A provider at which the app itself can revoke what a user granted it.
protocol GrantRevokingProvider: IdentityProvider {
  func revokeGrant(of subject: Subject, in context: ProviderContext) async throws(FederationError)
}

/// What a provider's functions work with: the project's configuration and the server's means.
struct ProviderContext: Sendable {
  let configuration: ProviderConfiguration
  let services: ProviderServices
  let now: Date

  /// The error for a setting that is absent; named as Google's admin resources name it.
  func missing(_ setting: String) -> FederationError {
    .incompleteConfiguration(provider: configuration.id, setting: setting)
  }

  /// Sends a request to the provider.
  ///
  /// - Throws: ``FederationError/unreachable(_:)`` where no answer came.
  func send(_ request: OutboundRequest) async throws(FederationError) -> OutboundResponse {
    do throws(OutboundError) {
      return try await services.transport.send(request)
    } catch {
      throw .unreachable(.outbound(error))
    }
  }

  func with(_ configuration: ProviderConfiguration) -> ProviderContext {
    ProviderContext(configuration: configuration, services: services, now: now)
  }
}

/// What all providers share: the way out, the keys that were fetched, and the numbers.
final class ProviderServices: Sendable {
  let transport: any OutboundTransport
  let options: FederationOptions
  let remoteKeys: RemoteKeys

  init(transport: any OutboundTransport, options: FederationOptions, remoteKeys: RemoteKeys) {
    self.transport = transport
    self.options = options
    self.remoteKeys = remoteKeys
  }
}

// MARK: - What most kinds do

extension IdentityProvider {
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    []
  }

  /// An access token that comes alone is asked about.
  func asks(about credential: IdPCredential) -> Bool {
    self is any AccessTokenProvider && credential.hasAccessToken && !credential.hasIDToken
  }

  func answerIssuers(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [String] {
    try idTokenRules(configuration)?.issuers ?? []
  }

  func alwaysNamesIssuer(in context: ProviderContext) -> Bool { false }

  func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String?, in context: ProviderContext
  ) async throws(FederationError) {
    try await context.revokeByRFC7009(
      token, kind: kind,
      at: try await configuredCodeEndpoints(
        clientID: clientID, redirectURI: nil, in: context))
  }
}

extension IDTokenRules {
  /// The key set at `keys`, RS256 alone: what the vendors that are built in publish.
  init(issuers: [String], keys: OutboundURL) {
    self.init(issuers: issuers, keys: KeySource(keys: keys), algorithms: [.rs256])
  }
}

import GatehouseProtocol
import GatehouseTokens
import Logging

import struct Foundation.Date

/// A kind of provider: how the server calls it, and what its responses mean.
///
/// Each kind has one folder. To add a kind, write its folder and add it to
/// ``IdentityProviders/all``. The defaults follow OAuth 2.0 and OpenID Connect.
///
/// A value contains the kind's endpoints and no data of a project: functions receive the project's
/// configuration, alone or in a ``ProviderContext``.
protocol IdentityProvider: Sendable {
  static var kind: ProviderKind { get }

  /// Uses the vendor's own endpoints.
  init()

  /// Uses a stand-in for the vendor at `baseURL`. Nil if ``OutboundURL`` doesn't accept that URL,
  /// and always nil for OpenID Connect.
  init?(baseURL: String)

  /// The faults of a configuration. Doesn't check the rules that are common to every kind.
  ///
  /// - Parameter allowsPlainHTTP: Whether an issuer on loopback may use plain http, in `--dev`.
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault]

  // MARK: ID tokens

  /// The rules for the provider's ID tokens; nil if it issues none.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)``.
  func idTokenRules(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> IDTokenRules?

  /// Maps the claims of a verified token that belongs to its request.
  ///
  /// - Parameter credential: The values that came with the token, such as a name or an access
  ///   token.
  func identity(
    of token: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity

  /// Whether a sign-in with `credential` may call the provider about it. Fetching keys, which are
  /// cached, doesn't count.
  func asks(about credential: IdPCredential) -> Bool

  // MARK: Sign-in in a browser

  /// How to request a sign-in.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if a setting that the
  ///   flow needs is missing, such as a client secret; ``FederationError/unreachable(_:)`` if a
  ///   discovery document can't be fetched.
  func authorizationPlan(
    in context: ProviderContext
  ) async throws(FederationError) -> AuthorizationPlan

  /// Accepted values of `iss` in responses that come through a browser (RFC 9207), byte for byte.
  func answerIssuers(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [String]

  /// Whether the provider declares that each of its responses contains its issuer (RFC 9207 §3).
  func alwaysNamesIssuer(in context: ProviderContext) async throws(FederationError) -> Bool

  // MARK: Codes and tokens

  /// The endpoints at which codes are exchanged and tokens revoked, and the client's credentials.
  ///
  /// - Parameters:
  ///   - clientID: The client to which the code or token was issued, if it is known.
  ///   - redirectURI: The redirect URI of the authorization request, if it had one.
  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints

  /// Revokes a token; the default is RFC 7009.
  func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String?, in context: ProviderContext
  ) async throws(FederationError)

  // MARK: Diagnosis

  /// Tests whether the provider accepts our client credentials, and checks the settings that only
  /// this kind of provider has.
  func clientFindings(in context: ProviderContext) async -> [Finding]
}

/// A provider that can be asked about an access token. By itself an access token doesn't show for
/// which user and for which app it was issued: only the provider knows.
protocol AccessTokenProvider: IdentityProvider {
  /// Whether the code of a sign-in in a browser yields an access token that identifies the user,
  /// instead of an ID token.
  var identifiesByAccessToken: Bool { get }

  /// Asks the provider at each sign-in; the response isn't cached.
  ///
  /// Doesn't check a nonce, which an access token can't contain: if one is required, the caller
  /// rejects the access token.
  ///
  /// - Throws: ``FederationError/accessToken(_:)`` for a token that can't sign a user in.
  func identity(
    ofAccessToken accessToken: Secret<String>, in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity
}

/// A provider at which an app can revoke a user's grant without a token of the user.
protocol GrantRevokingProvider: IdentityProvider {
  func revokeGrant(of subject: Subject, in context: ProviderContext) async throws(FederationError)
}

/// A provider that sends notifications about its users.
protocol NotifyingProvider: IdentityProvider {
  /// Accepted values of `iss` in notifications, byte for byte.
  static var notificationIssuers: [String] { get }

  /// The events in a verified notification.
  ///
  /// - Throws: ``FederationError/unparsable(reason:)``.
  func events(
    in notification: VerifiedNotification, _ configuration: ProviderConfiguration
  ) throws(FederationError) -> [ProviderEvent]
}

/// What a provider's functions need: the project's configuration and the server's services.
struct ProviderContext: Sendable {
  let configuration: ProviderConfiguration
  let services: ProviderServices
  let now: Date

  /// The error for an absent setting.
  func missing(_ setting: String) -> FederationError {
    .incompleteConfiguration(provider: configuration.id, setting: setting)
  }

  /// Sends a request to the provider, as a call of the project.
  ///
  /// - Throws: ``FederationError/unreachable(_:)`` if there is no response.
  func send(_ request: OutboundRequest) async throws(FederationError) -> OutboundResponse {
    var request = request
    request.project = configuration.project
    request.provider = configuration.id
    do throws(OutboundError) {
      return try await services.transport.send(request)
    } catch {
      throw .unreachable(.outbound(error))
    }
  }

  func with(_ configuration: ProviderConfiguration) -> ProviderContext {
    ProviderContext(configuration: configuration, services: services, now: now)
  }

  /// The sign-in attributes in a token's claims. Logs which claims are left out.
  func signInAttributes(_ claims: JSONObject) -> SignInAttributes? {
    var leftOut: [String] = []
    let attributes = SignInAttributes(claims, leftOut: &leftOut)
    if !leftOut.isEmpty {
      let names = leftOut.prefix(8).map { name in
        String(
          decoding: name.utf8.prefix(64).map { (0x21...0x7E).contains($0) ? $0 : 0x3F },
          as: UTF8.self)
      }
      services.logger.notice(
        """
        Claims of a provider's ID token are not in this server's ID tokens: together, they would \
        exceed the limit. Have the provider send fewer, for example only the groups of this app
        """,
        metadata: [
          "provider": "\(configuration.id)", "claims": "\(names.joined(separator: ", "))",
          "limit": "\(SignInAttributes.maximumBytes) bytes",
        ])
    }
    return attributes
  }
}

/// What all providers share: the transport, the options, the providers' keys and the log.
final class ProviderServices: Sendable {
  let transport: any OutboundTransport
  let options: FederationOptions
  let remoteKeys: RemoteKeys
  let logger: Logger

  init(
    transport: any OutboundTransport, options: FederationOptions, remoteKeys: RemoteKeys,
    logger: Logger
  ) {
    self.transport = transport
    self.options = options
    self.remoteKeys = remoteKeys
    self.logger = logger
  }
}

// MARK: - Defaults

extension IdentityProvider {
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    []
  }

  /// True for an access token without an ID token, if the provider can be asked about access tokens.
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
  /// RS256 only, with the key set at `keys`: this is what the built-in vendors publish.
  init(issuers: [String], keys: OutboundURL) {
    self.init(issuers: issuers, keys: KeySource(keys: keys), algorithms: [.rs256])
  }
}

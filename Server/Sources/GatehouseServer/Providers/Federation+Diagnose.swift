import GatehouseProtocol
import GatehouseTokens

package import struct Foundation.Date

extension Federation {
  /// Tests a provider's configuration: settings, discovery, keys and client authentication. Sends
  /// requests to the provider.
  ///
  /// Fetches the discovery document and the keys even if they are cached. Reports every finding,
  /// not only the first.
  package func diagnose(_ configuration: ProviderConfiguration, now: Date) async -> [Finding] {
    var findings: [Finding] = []
    do throws(FederationError) {
      let (provider, context) = try provider(for: configuration, now: now)
      if let rules = try provider.idTokenRules(configuration) {
        findings += settings(configuration, audiences(configuration))
        findings += await keys(rules, configuration, now: now)
      } else {
        findings += settings(configuration, clientID(configuration))
      }
      findings += await provider.clientFindings(in: context)
    } catch {
      if findings.isEmpty { findings += settings(configuration, audiences(configuration)) }
      findings.append(Finding(error, check: "configuration"))
    }
    return findings
  }

  private func audiences(_ configuration: ProviderConfiguration) -> Finding {
    let audiences = configuration.audiences
    return audiences.isEmpty
      ? Finding(
        "audiences",
        .failed(
          remedy:
            "Set the client id (Apple: a bundle id or Services ID, or register the app with "
            + "`gatehouse apps add`)."),
        "there is no client id, so every ID token is rejected")
      : Finding("audiences", .ok, audiences.joined(separator: ", "))
  }

  /// The finding about the client id of a provider that issues no ID tokens.
  private func clientID(_ configuration: ProviderConfiguration) -> Finding {
    configuration.clientID.isEmpty
      ? Finding(
        "client id", .failed(remedy: "Set the client id."),
        "there is no client id, so every sign-in is refused")
      : Finding("client id", .ok, configuration.clientID)
  }

  private func settings(
    _ configuration: ProviderConfiguration, _ client: Finding
  ) -> [Finding] {
    var findings = [client]
    if !configuration.isEnabled {
      findings.append(
        Finding("enabled", .warning(remedy: "Enable the provider."), "sign-in is refused"))
    }
    return findings
  }

  private func keys(
    _ rules: IDTokenRules, _ configuration: ProviderConfiguration, now: Date
  ) async -> [Finding] {
    let fetcher = KeyFetcher(
      transport: services.transport, allowsPlainHTTP: services.options.allowsPlainHTTP)
    var findings: [Finding] = []
    do throws(RemoteKeyFailure) {
      if case .discovery(let discovery) = rules.keys.origin {
        let metadata = try await fetcher.metadata(discovery, of: rules.keys.project)
        findings.append(Finding("discovery", .ok, "keys at \(metadata.keys)"))
        if metadata.encryptsUserInfo {
          findings.append(
            Finding(
              "userinfo", .ok,
              "the provider can encrypt userinfo; this server reads plain and signed userinfo only, so "
                + "leave userinfo_encrypted_response_alg out of the client's registration"))
        }
        if configuration.isKeepingRefreshTokens, metadata.revoke == nil {
          findings.append(
            Finding(
              "revocation",
              .warning(
                remedy:
                  "Set --no-keep-refresh-token: refresh tokens are kept only to be revoked later."),
              "the discovery document names no revocation_endpoint, so nothing can be revoked"))
        }
      }
      let snapshot = try await fetcher.fetch(.all, from: rules.keys, now: now)
      findings.append(Self.found(snapshot, rules, configuration))
      findings += snapshot.keys.indistinguishable(among: rules.algorithms).map(Self.unclear)
      for refused in snapshot.keys.refused {
        findings.append(
          Finding(
            "keys", .warning(remedy: "Nothing, unless the provider signs with this key."),
            "not used: \(refused)"))
      }
    } catch {
      let remedy =
        if case .otherIssuer(let received, _) = error {
          await self.remedy(forOtherIssuer: received, rules.keys, fetcher)
        } else {
          error.remedy
        }
      findings.append(
        Finding(
          findings.isEmpty && rules.keys.isDiscovered ? "discovery" : "keys",
          .failed(remedy: remedy), error.description))
    }
    return findings
  }

  /// What to do about a discovery document of another issuer. That issuer can be configured alone only if
  /// its own document is where it follows from it.
  private func remedy(
    forOtherIssuer received: String, _ source: KeySource, _ fetcher: KeyFetcher
  ) async -> String {
    guard case .discovery(let discovery) = source.origin, let url = discovery.url,
      OutboundURL(received) != nil
    else {
      return received.utf8.contains(UInt8(ascii: "{"))
        ? "The document is a template for many tenants. Set the issuer of one tenant, as its tokens have "
          + "it; for Microsoft's multi-tenant apps use the provider microsoft.com."
        : "The provider must name the issuer in its document as an https URL."
    }
    let own = try? await fetcher.metadata(Discovery(issuer: received), of: source.project)
    return own != nil
      ? "Set the issuer to exactly \(received), if that is your provider."
      : "If your provider's tokens have the issuer \(received), set it as the issuer and keep this "
        + "document with --discovery-url \(url) (discoveryUrl over HTTP)."
  }
}

extension Federation {
  /// What the verifier can do with the keys.
  private static func found(
    _ snapshot: RemoteKeySet, _ rules: IDTokenRules, _ configuration: ProviderConfiguration
  ) -> Finding {
    let usable = snapshot.keys.keys.filter { key in
      rules.algorithms.contains { key.fits($0) }
    }
    guard usable.isEmpty else {
      return Finding(
        "keys", .ok, "\(usable.count) usable, valid for \(snapshot.lifetimeSeconds) seconds")
    }
    let lack =
      snapshot.lack
      ?? .noUsableKey(count: snapshot.keys.count, refused: snapshot.keys.refused)
    guard rules.acceptsClientSecret, configuration.takesCode,
      let secret = configuration.clientSecret
    else { return Finding("keys", .failed(remedy: lack.remedy), lack.description) }
    guard (try? ClientSecretKey(secret.reveal())) != nil else {
      return Finding(
        "keys",
        .failed(
          remedy: "Give the provider a signing key, or the client a secret of "
            + "\(ClientSecretKey.minimumBytes) bytes or more: HS256 requires it (RFC 7518 §3.2)."),
        "\(lack); the client secret is too short to verify its signatures")
    }
    return Finding(
      "keys",
      .warning(
        remedy: "Nothing, if users sign in only through a browser. Otherwise give the provider a "
          + "signing key (in Authentik: the provider's setting Signing Key)."),
      "\(lack); a sign-in through a browser works if the provider signs with the client secret (HS256)"
    )
  }

  /// The finding about keys that a token can't choose between.
  private static func unclear(
    _ keyID: String?, _ algorithm: SignatureAlgorithm
  ) -> Finding {
    let shown = KeySet.shown(keyID)
    return Finding(
      "keys",
      .failed(
        remedy: "Have the provider give each key its own kid. The server never guesses a key."),
      "there are different keys for \(algorithm.rawValue) \(shown.map { "with the kid \($0)" } ?? "without a kid")"
        + ": their tokens are rejected")
  }
}

extension Finding {
  /// The finding of a check that failed with `error`, with a remedy.
  init(_ error: FederationError, check: String) {
    let remedy =
      switch error {
      case .unsupportedProvider:
        "Use \(IdentityProviders.builtIn.compactMap(\.id?.text).joined(separator: ", ")) or the name "
          + "oidc.<something>."
      case .incompleteConfiguration(_, let setting): Self.remedy(setting)
      case .unreachable(let failure): failure.remedy
      case .inspectionRefused: "Check that the app id and the app secret belong together."
      default: "Check the provider's configuration."
      }
    self.init(check, .failed(remedy: remedy), error.description)
  }

  /// What to do about a setting that is absent or invalid.
  private static func remedy(_ setting: String) -> String {
    switch setting {
    case "clientKey.privateKey", "clientKey.algorithm":
      "Give the key again: gatehouse providers set … --private-key-file FILE."
    case _ where FederationError.isInDiscovery(setting):
      "Ask the provider: its discovery document has to name \(setting)."
    default: "Set \(setting)."
    }
  }
}

extension KeySource {
  fileprivate var isDiscovered: Bool {
    if case .discovery = origin { true } else { false }
  }
}

extension CertificateFault {
  fileprivate func remedy(_ host: String) -> String {
    switch self {
    case .expired: "Have the certificate of \(host) renewed."
    case .notYetValid: "Compare this machine's clock with another clock."
    case .otherName: "Use the host name that is in the provider's certificate."
    case .selfSigned, .unknownAuthority:
      "If it is your own, name a file with the authority's certificate (or the self-signed "
        + "certificate itself) in outbound.caFile."
    }
  }
}

extension RemoteKeyFailure {
  /// What to do about it.
  fileprivate var remedy: String {
    switch self {
    case .outbound(.refusedAddress(let host, _)):
      "If \(host) is your own host, add it to outbound.privateHosts."
    case .outbound(.insecure), .issuerURL, .endpoint:
      "Use https; plain http is allowed only for loopback in development."
    case .outbound(.unresolvable(let host)): "Check the name \(host) and this machine's DNS."
    case .outbound(.certificate(let host, let fault)): fault.remedy(host)
    case .outbound(.notTLS(let host)): "Check the port: \(host) must speak https there."
    case .outbound(.compressed(let host)):
      "The operator of \(host), or of a proxy before it, must not compress against Accept-Encoding."
    case .outbound: "Check that this machine can reach the provider."
    case .discoveryURL: "Give an https URL with --discovery-url, or --discovery-url default."
    case .otherIssuer, .status, .malformed:
      "Check the issuer: is it an OpenID Connect provider? If its discovery document is elsewhere, name "
        + "the place with --discovery-url."
    case .noUsableKey(0, _):
      "Give the provider a signing key (in Authentik: the provider's setting Signing Key). Without one, "
        + "users can sign in only through a browser, in the code flow, with a client secret."
    case .noUsableKey:
      "The provider must publish a signing key: RSA of 2048 to 8192 bits, P-256, P-384, P-521 or "
        + "Ed25519, with use sig or without use."
    }
  }
}

package import GatehouseModel
import GatehouseTokens

package import struct Foundation.Date

extension Federation {
  /// Tests a provider's configuration: what is set, discovery, keys and, for Apple, the client
  /// secret, for which Apple itself is asked.
  ///
  /// Fetches anew, whatever is cached. Reports every finding rather than the first; never throws.
  package func diagnose(_ configuration: ProviderConfiguration, now: Date) async -> [Finding] {
    var findings = audiences(configuration)
    let rules: ProviderRules
    do throws(FederationError) {
      rules = try ProviderRules(configuration, endpoints: endpoints)
    } catch {
      findings.append(Self.finding(error, check: "configuration"))
      return findings
    }
    findings += await keys(rules, now: now)
    switch rules.kind {
    case .apple: findings.append(await appleClientSecret(configuration, now: now))
    case .facebook: findings.append(await facebookAppSecret(configuration))
    case .google:
      if configuration.clientSecret != nil {
        findings.append(await clientProof(configuration, check: "client secret", now: now))
      }
    case .openIDConnect: findings += await client(configuration, rules, now: now)
    }
    return findings
  }

  private func audiences(_ configuration: ProviderConfiguration) -> [Finding] {
    var findings: [Finding] = []
    let audiences = configuration.audiences
    findings.append(
      audiences.isEmpty
        ? Finding(
          "audiences",
          .failed(
            remedy:
              "Set the client id (Apple: a bundle id or Services ID, or register the app with "
              + "`gatehouse apps add`)."),
          "no ID token can be for this project")
        : Finding("audiences", .ok, audiences.joined(separator: ", ")))
    if !configuration.isEnabled {
      findings.append(
        Finding("enabled", .warning(remedy: "Enable the provider."), "sign-in is refused"))
    }
    return findings
  }

  private func keys(_ rules: ProviderRules, now: Date) async -> [Finding] {
    let fetcher = KeyFetcher(transport: transport, allowsPlainHTTP: options.allowsPlainHTTP)
    var findings: [Finding] = []
    do throws(RemoteKeyFailure) {
      if case .discovery(let issuer) = rules.keys.origin {
        let metadata = try await fetcher.metadata(issuer: issuer)
        findings.append(Finding("discovery", .ok, "keys at \(metadata.keys)"))
      }
      let snapshot = try await fetcher.fetch(.all, from: rules.keys, now: now)
      findings.append(
        Finding(
          "keys", .ok,
          "\(snapshot.keys.keys.count) usable, good for \(snapshot.lifetimeSeconds) seconds"))
      for refused in snapshot.keys.refused {
        findings.append(
          Finding(
            "keys", .warning(remedy: "Nothing to do unless the provider signs with it."),
            "a key is not used (\(refused.reason.rawValue))"))
      }
    } catch {
      findings.append(
        Finding(
          findings.isEmpty && rules.keys.isDiscovered ? "discovery" : "keys",
          .failed(remedy: error.remedy), error.description))
    }
    return findings
  }

  private func appleClientSecret(
    _ configuration: ProviderConfiguration, now: Date
  ) async -> Finding {
    let check = "client secret"
    guard let apple = configuration.apple, !apple.hasNoKey else {
      return Finding(
        check,
        .warning(
          remedy: "Give the key's with `gatehouse providers set apple --team-id … --key-id … "
            + "--key-file …`: Apple wants tokens revoked when an account is deleted."),
        "there is no key: ID tokens sign in, codes can't be exchanged and tokens not revoked")
    }
    do throws(FederationError) {
      _ = try AppleClientSecret(configuration)
      _ = try await exchangeAuthorizationCode(
        Secret("gatehouse-test"), clientID: configuration.clientID, for: configuration, now: now)
      return Finding(check, .ok, "minted and accepted")
    } catch .refusedByProvider(_, let error?) where error.hasSameBytes(as: "invalid_grant") {
      // There is no such code, and Apple looks at the client first.
      return Finding(check, .ok, "minted and accepted")
    } catch {
      return Self.finding(error, check: check)
    }
  }

  private func facebookAppSecret(_ configuration: ProviderConfiguration) async -> Finding {
    let check = "app secret"
    guard configuration.clientSecret != nil else {
      return Finding(
        check, .warning(remedy: "Set the app secret, unless your apps use Limited Login alone."),
        "access tokens are refused")
    }
    do throws(FederationError) {
      let graph = try facebookGraph(configuration)
      guard let token = BearerToken(Secret("gatehouse-test")) else {
        throw .accessToken(.unreadable)
      }
      // No such token exists; that Facebook says so means that it knows the app.
      _ = try await graph.inspectionAnswer(of: token)
      return Finding(check, .ok, "accepted")
    } catch {
      return Self.finding(error, check: check)
    }
  }

  static func finding(_ error: FederationError, check: String) -> Finding {
    let remedy =
      switch error {
      case .unsupportedProvider:
        "Use apple.com, google.com, facebook.com or the name oidc.<something>."
      case .incompleteConfiguration(_, let setting): Self.remedy(setting)
      case .unreachable(let failure): failure.remedy
      case .refusedByProvider:
        "Check that team id, key id, private key and Services ID belong together, and that the "
          + "key is enabled for Sign in with Apple."
      case .inspectionRefused: "Check that app id and app secret belong together."
      default: "Check the provider's configuration."
      }
    return Finding(check, .failed(remedy: remedy), error.description)
  }
}

extension ProviderConfiguration.AppleSettings {
  /// What apps need that only hand over ID tokens.
  fileprivate var hasNoKey: Bool { teamID == nil && keyID == nil && privateKey == nil }
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
    case .notYetValid: "Compare this machine's clock with another's."
    case .otherName: "Name the provider as its certificate does."
    case .selfSigned, .unknownAuthority:
      "If it is your own, name a file with the authority's certificate (of a self-signed one "
        + "itself) in outbound.caFile."
    }
  }
}

extension RemoteKeyFailure {
  /// What to do about it.
  fileprivate var remedy: String {
    switch self {
    case .outbound(.refusedAddress(let host, _)):
      "If \(host) is yours, add it to outbound.privateHosts."
    case .outbound(.insecure), .issuerURL, .endpoint:
      "Use https; plain http is for loopback in development."
    case .outbound(.unresolvable(let host)): "Check the name \(host) and this machine's DNS."
    case .outbound(.certificate(let host, let fault)): fault.remedy(host)
    case .outbound(.notTLS(let host)): "Check the port: \(host) has to answer https there."
    case .outbound: "Check that this machine reaches the provider."
    case .otherIssuer(let received, _):
      "Set the issuer to exactly \(received), if that is your provider."
    case .status, .malformed: "Check the issuer: is it an OpenID Connect provider?"
    case .noUsableKey: "The provider must publish a signing key of 2048 bits or more, or a curve's."
    }
  }
}

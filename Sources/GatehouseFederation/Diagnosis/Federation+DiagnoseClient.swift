import GatehouseModel
import GatehouseTokens

import struct Foundation.Date

/// What an OpenID Connect provider says of the ways that are configured for it.
extension Federation {
  /// What proves who we are, about which the provider itself is asked, and the way by which answers
  /// come. Nothing where none of it is configured.
  func client(
    _ configuration: ProviderConfiguration, _ rules: ProviderRules, now: Date
  ) async -> [Finding] {
    guard
      configuration.clientKey != nil || configuration.clientSecret != nil
        || configuration.responseMode != nil
    else { return [] }
    var findings: [Finding] = []
    let fetcher = KeyFetcher(transport: transport, allowsPlainHTTP: options.allowsPlainHTTP)
    // That discovery failed is a finding already.
    guard case .discovery(let issuer) = rules.keys.origin,
      let metadata = try? await fetcher.metadata(issuer: issuer)
    else { return [] }
    if let mode = configuration.responseMode {
      findings.append(Self.finding(mode, metadata))
    }
    if let key = configuration.clientKey {
      findings += Self.findings(key, metadata)
      findings.append(await clientProof(configuration, check: "client key", now: now))
    } else if configuration.clientSecret != nil {
      findings.append(await clientProof(configuration, check: "client secret", now: now))
    }
    return findings
  }

  private static func finding(_ mode: ResponseMode, _ metadata: ProviderMetadata) -> Finding {
    metadata.offers(mode)
      ? Finding("response mode", .ok, mode.rawValue)
      : Finding(
        "response mode",
        .failed(
          remedy: "Leave --response-mode out, or name one of those: "
            + (metadata.responseModes ?? ["query", "fragment"]).joined(separator: ", ")),
        "the provider doesn't say that it has \(mode.rawValue)")
  }

  private static func findings(_ key: ClientKey, _ metadata: ProviderMetadata) -> [Finding] {
    var findings: [Finding] = []
    // "If omitted, the default is client_secret_basic" (OpenID Connect Discovery §3).
    if metadata.authenticationMethods?.containsBytes(of: "private_key_jwt") != true {
      findings.append(
        Finding(
          "client key", .warning(remedy: "Ask the provider whether it takes private_key_jwt."),
          "the provider's document doesn't name private_key_jwt"))
    }
    if let signer = try? PrivateKeySigner(key), let algorithms = metadata.assertionAlgorithms,
      !algorithms.containsBytes(of: signer.algorithm.rawValue)
    {
      findings.append(
        Finding(
          "client key",
          .failed(remedy: "Use a key for one of: \(algorithms.joined(separator: ", "))"),
          "the provider doesn't take \(signer.algorithm.rawValue)"))
    }
    return findings
  }

  /// Brings a code that doesn't exist: the client is looked at first (RFC 6749 §5.2).
  func clientProof(
    _ configuration: ProviderConfiguration, check: String, now: Date
  ) async -> Finding {
    let proof = configuration.clientKey == nil ? "client id and secret" : "assertion"
    do throws(FederationError) {
      _ = try await exchangeAuthorizationCode(
        Secret("gatehouse-test"), redirectURI: "https://localhost\(RedirectPath.shared)",
        for: configuration, now: now)
      return Finding(check, .ok, "\(proof) accepted")
    } catch .refusedByProvider(_, let error?)
      where ["invalid_grant", "redirect_uri_mismatch"].containsBytes(of: error)
    {
      return Finding(check, .ok, "\(proof) accepted")
    } catch .refusedByProvider(_, let error?)
      where FederationError.refusalsOfClient.containsBytes(of: error)
    {
      return Finding(
        check, .failed(remedy: Self.remedy(forClientOf: configuration)),
        "the provider refused the \(proof): \(error)")
    } catch .refusedByProvider(let status, let error) {
      return Finding(
        check, .warning(remedy: "Sign in once to be sure."),
        "the provider answered \(status) \(error ?? ""), which doesn't say what it thinks of the "
          + proof)
    } catch {
      return Self.finding(error, check: check)
    }
  }

  private static func remedy(forClientOf configuration: ProviderConfiguration) -> String {
    guard configuration.clientKey != nil else {
      return "Compare client id and client secret with the provider's own page; a secret may have "
        + "expired there."
        + (configuration.id.isOpenIDConnect
          ? " If they are right: --client-authentication client_secret_post, or "
            + "client_secret_basic." : "")
    }
    return "Give the provider what `gatehouse providers jwks \(configuration.id)` prints, and "
      + "compare the client id. If it wants the token endpoint for an audience: "
      + "--assertion-audience tokenEndpoint."
  }

  /// What to do where a setting lacks or isn't good.
  static func remedy(_ setting: String) -> String {
    switch setting {
    case "clientKey.privateKey", "clientKey.algorithm":
      "Give the key anew: gatehouse providers set … --private-key-file FILE."
    default: "Set \(setting)."
    }
  }
}

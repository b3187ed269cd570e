import GatehouseProtocol
import GatehouseTokens

extension OpenIDConnectProvider {
  /// Compares the configuration with the provider's discovery document, and tests our client
  /// authentication at the provider. Returns no findings if neither credentials nor a response mode
  /// are configured, or if the document can't be fetched.
  func clientFindings(in context: ProviderContext) async -> [Finding] {
    let configuration = context.configuration
    guard
      configuration.clientKey != nil || configuration.clientSecret != nil
        || configuration.responseMode != nil
    else { return [] }
    var findings: [Finding] = []
    let fetcher = KeyFetcher(
      transport: context.services.transport,
      allowsPlainHTTP: context.services.options.allowsPlainHTTP)
    // The caller has already reported a failure of discovery.
    let discovery = Discovery(
      issuer: configuration.issuer ?? "", configuredURL: configuration.discoveryURL)
    guard let metadata = try? await fetcher.metadata(discovery, of: configuration.project) else {
      return []
    }
    if let mode = configuration.responseMode {
      findings.append(Self.finding(mode, metadata))
    }
    if let key = configuration.clientKey {
      findings += Self.findings(key, metadata)
      findings.append(await proofFinding(check: "client key", in: context))
    } else if configuration.clientSecret != nil {
      findings.append(await proofFinding(check: "client secret", in: context))
    }
    return findings
  }

  private static func finding(_ mode: ResponseMode, _ metadata: ProviderMetadata) -> Finding {
    metadata.offers(mode)
      ? Finding("response mode", .ok, mode.rawValue)
      : Finding(
        "response mode",
        .failed(
          remedy: "Leave --response-mode out, or give one of these: "
            + (metadata.responseModes ?? ["query", "fragment"]).joined(separator: ", ")),
        "the provider's discovery document doesn't name \(mode.rawValue)")
  }

  private static func findings(_ key: ClientKey, _ metadata: ProviderMetadata) -> [Finding] {
    var findings: [Finding] = []
    // "If omitted, the default is client_secret_basic" (OpenID Connect Discovery §3).
    if metadata.authenticationMethods?.containsBytes(of: "private_key_jwt") != true {
      findings.append(
        Finding(
          "client key", .warning(remedy: "Ask the provider whether it accepts private_key_jwt."),
          "the provider's document doesn't name private_key_jwt"))
    }
    if let signer = try? PrivateKeySigner(key), let algorithms = metadata.assertionAlgorithms,
      !algorithms.containsBytes(of: signer.algorithm.rawValue)
    {
      findings.append(
        Finding(
          "client key",
          .failed(remedy: "Use a key for one of: \(algorithms.joined(separator: ", "))"),
          "the provider doesn't accept \(signer.algorithm.rawValue)"))
    }
    return findings
  }
}

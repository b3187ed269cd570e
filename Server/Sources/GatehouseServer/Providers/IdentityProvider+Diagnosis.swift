import GatehouseProtocol

extension IdentityProvider {
  /// Sends a code that doesn't exist: the provider checks the client first (RFC 6749 §5.2).
  func proofFinding(check: String, in context: ProviderContext) async -> Finding {
    let configuration = context.configuration
    let proof = configuration.clientKey == nil ? "client id and secret" : "assertion"
    do throws(FederationError) {
      let redirectURI = "https://localhost\(RedirectPath.shared)"
      _ = try await context.answer(
        toCode: Secret("gatehouse-test"), redirectURI: redirectURI, codeVerifier: nil,
        at: try await configuredCodeEndpoints(
          clientID: nil, redirectURI: redirectURI, in: context))
      return Finding(check, .ok, "\(proof) accepted")
    } catch .refusedByProvider(_, let error?)
      where FederationError.refusalsOfCode.containsBytes(of: error)
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
        "the provider responded with \(status) \(error ?? ""), which doesn't say whether it "
          + "accepts the \(proof)")
    } catch {
      return Finding(error, check: check)
    }
  }

  private static func remedy(forClientOf configuration: ProviderConfiguration) -> String {
    guard configuration.clientKey != nil else {
      return "Compare the client id and the client secret with the provider's own page; the secret "
        + "may have expired there."
        + (configuration.id.isOpenIDConnect
          ? " If they are right, try --client-authentication client_secret_post, or "
            + "client_secret_basic." : "")
    }
    return "Give the provider the output of `gatehouse providers jwks \(configuration.id)`, and "
      + "compare the client id. If the provider requires its token endpoint as the audience: "
      + "--assertion-audience tokenEndpoint."
  }
}

import GatehouseProtocol

extension AppleProvider {
  func clientFindings(in context: ProviderContext) async -> [Finding] {
    let check = "client secret"
    guard let apple = context.configuration.apple, !apple.hasNoKey else {
      return [
        Finding(
          check,
          .warning(
            remedy: "Set the key with `gatehouse providers set apple --team-id … --key-id … "
              + "--key-file …`: Apple requires that tokens are revoked when an account is deleted."
          ),
          "there is no key: users can sign in with ID tokens, but codes can't be exchanged and "
            + "tokens can't be revoked")
      ]
    }
    do throws(FederationError) {
      _ = try AppleClientSecret(context.configuration)
      _ = try await context.answer(
        toCode: Secret("gatehouse-test"), redirectURI: nil, codeVerifier: nil,
        at: try await configuredCodeEndpoints(
          clientID: context.configuration.clientID, redirectURI: nil, in: context))
      return [Finding(check, .ok, "created and accepted")]
    } catch .refusedByProvider(_, let error?) where error.hasSameBytes(as: "invalid_grant") {
      // The code doesn't exist, and Apple checks the client first.
      return [Finding(check, .ok, "created and accepted")]
    } catch .refusedByProvider(let status, let error) {
      return [
        Finding(
          check,
          .failed(
            remedy: "Check that the team id, key id, private key and Services ID belong together, "
              + "and that the key is enabled for Sign in with Apple."),
          FederationError.refusedByProvider(status: status, error: error).description)
      ]
    } catch {
      return [Finding(error, check: check)]
    }
  }
}

extension ProviderConfiguration.AppleSettings {
  /// Whether there is no key. Apps that only send ID tokens need none.
  fileprivate var hasNoKey: Bool { teamID == nil && keyID == nil && privateKey == nil }
}

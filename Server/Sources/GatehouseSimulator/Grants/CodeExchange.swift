import Crypto
import Foundation

/// The parameters that a client sends with a code (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct CodeExchange: Sendable {
  let provider: Provider
  let clientID: String
  let code: String
  let redirectURI: String?
  let codeVerifier: String?
}

extension SimulatorState {
  /// Exchanges a code, once. A rejected exchange doesn't change the code.
  ///
  /// - Returns: The grant. The caller issues tokens for it: see
  ///   ``issueTokens(for:baseURL:now:faults:)``.
  /// - Throws: ``GrantRefusal`` as the provider's error.
  mutating func exchange(_ exchange: CodeExchange, now: Date) throws(SimulatorError) -> Grant {
    let kind = exchange.provider.kind
    let key = Identifier(exchange.code)
    guard var code = codes[key], code.grant.provider == exchange.provider else {
      throw kind.error(for: .unknownCode)
    }
    if let refusal = refusal(of: code, exchange, now: now) { throw kind.error(for: refusal) }
    code.isUsed = true
    codes.set(code, for: key)
    return code.grant
  }

  private func refusal(
    of code: AuthorizationCode, _ exchange: CodeExchange, now: Date
  ) -> GrantRefusal? {
    let grant = code.grant
    guard grant.clientID.isSame(as: exchange.clientID) else { return .codeOfAnotherClient }
    if code.isUsed { return .usedCode }
    let allExpire = faults.tokens[grant.provider]?.expiredCodes == true
    if allExpire || code.expiresAt <= now { return .expiredCode }
    guard standingConsent(of: grant) != nil else { return .withdrawn }
    // "if the redirect_uri parameter was included in the authorization request …, their values MUST
    // be identical." The code of a native sign-in has none: then any value is accepted,
    // because libraries send different ones.
    if let redirectURI = grant.redirectURI {
      guard let given = exchange.redirectURI, given.isSame(as: redirectURI) else {
        return .redirectURI
      }
    }
    return verifierRefusal(grant.codeChallenge, exchange.codeVerifier)
  }

  /// RFC 7636 §4.6, S256 only. A verifier without a challenge is rejected (RFC 9700 §4.8.2): an
  /// attacker may have removed the challenge from the authorization request.
  private func verifierRefusal(_ challenge: String?, _ verifier: String?) -> GrantRefusal? {
    switch (challenge, verifier) {
    case (nil, nil): return nil
    case (nil, _): return .unexpectedVerifier
    case (_, nil): return .missingVerifier
    case (let challenge?, let verifier?):
      let computed = Base64URL.text(SHA256.hash(data: Data(verifier.utf8)))
      return computed.isSame(as: challenge) ? nil : .wrongVerifier
    }
  }
}

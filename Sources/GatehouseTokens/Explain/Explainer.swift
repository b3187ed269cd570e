import struct Foundation.Date

/// Runs the checks one by one and records the result of each.
struct Explainer {
  let keys: KeySet
  let policy: TokenPolicy
  let request: TokenExplanation.Request
  let now: Date
  private(set) var checks: [TokenExplanation.Check] = []
  /// The `issuer` of the key that the header selects. Nil if no key fits or the key has none.
  private var keyIssuer: String?

  init(keys: KeySet, policy: TokenPolicy, request: TokenExplanation.Request, now: Date) {
    self.keys = keys
    self.policy = policy
    self.request = request
    self.now = now
  }

  private static let afterForm = [
    "algorithm", "type", "key", "signature", "kind", "issuer", "audience", "subject", "expiry",
    "issued at", "not before", "nonce", "access token hash", "code hash",
  ]

  mutating func explain(_ token: String, limits: TokenLimits) {
    let parsed: UnverifiedToken
    do throws(TokenError) {
      parsed = try UnverifiedToken(token, limits: limits)
    } catch {
      add("form", error, expected: "header.payload.signature", got: error.code.explanation)
      for name in Self.afterForm { skip(name) }
      return
    }
    add("form", nil, expected: "header.payload.signature", got: "three segments of base64url")
    explainHeader(parsed)
    explainIdentity(parsed.claims)
    explainTimes(parsed.claims)
    explainRequest(parsed)
  }

  private mutating func explainHeader(_ token: UnverifiedToken) {
    let header = token.header
    add(
      "algorithm", refusal { () throws(TokenError) in try checkAlgorithm(header, policy) },
      expected: policy.algorithms.map(\.rawValue).sorted().joined(separator: ", "),
      got: header.algorithm.rawValue)
    add(
      "type", refusal { () throws(TokenError) in try checkType(header.type, policy) },
      expected: policy.types.joined(separator: ", ") + (policy.requiresType ? "" : ", or absent"),
      got: header.type ?? "absent")
    do throws(TokenError) {
      let key = try keys.key(for: header)
      keyIssuer = key.issuer
      add("key", nil, expected: keyNames, got: header.keyID ?? "no kid; one key fits")
      let error = refusal { () throws(TokenError) in
        _ = try VerifiedJWS(token.jws, checkedWith: key)
      }
      add(
        "signature", error, expected: "made with the key above",
        got: error == nil ? "valid" : "invalid")
    } catch {
      add(
        "key", error, expected: keyNames,
        got: "\(header.keyID ?? "no kid"): \(error.code.explanation)")
      skip("signature")
    }
  }

  private mutating func explainIdentity(_ claims: Claims) {
    add(
      "kind", refusal { () throws(TokenError) in try checkNotNotification(claims, policy) },
      expected: "an ID token", got: claims.contains("events") ? "has events" : "an ID token")
    let keyIssuer = keyIssuer
    let issuerError = refusal { () throws(TokenError) in
      try checkIssuer(claims, policy, keyIssuer: keyIssuer)
    }
    // The key's issuer is shown only if it explains the failure: without it the check passes.
    let isKeysFault =
      issuerError != nil
      && refusal { () throws(TokenError) in try checkIssuer(claims, policy) } == nil
    add(
      "issuer", issuerError,
      expected: (policy.issuers + [policy.tenants?.configured].compactMap(\.self))
        .joined(separator: " or "),
      got: shown("iss", of: claims)
        + (isKeysFault ? ", but the key is of issuer \(keyIssuer ?? "none")" : ""))
    let audience = shown("aud", of: claims)
    add(
      "audience", refusal { () throws(TokenError) in try checkAudience(claims, policy) },
      expected: policy.audiences.joined(separator: " or "),
      got: claims.has("azp") ? "\(audience), azp \(shown("azp", of: claims))" : audience)
    add(
      "subject", refusal { () throws(TokenError) in _ = try checkSubject(claims, policy) },
      expected: "1 to \(policy.maximumSubjectBytes) bytes", got: shown("sub", of: claims))
  }

  private mutating func explainTimes(_ claims: Claims) {
    let skew = "\(policy.clockSkewSeconds) s of skew"
    let time = seconds(now)
    add(
      "expiry", refusal { () throws(TokenError) in _ = try checkExpiry(claims, policy, now: now) },
      expected: "after \(time), \(skew)", got: shown("exp", of: claims))
    add(
      "issued at",
      refusal { () throws(TokenError) in _ = try checkIssuedAt(claims, policy, now: now) },
      expected: "not after \(time), \(skew)", got: shown("iat", of: claims))
    if claims.has("nbf") {
      add(
        "not before",
        refusal { () throws(TokenError) in try checkNotBefore(claims, policy, now: now) },
        expected: "not after \(time), \(skew)", got: shown("nbf", of: claims))
    } else {
      skip("not before")
    }
  }

  private mutating func explainRequest(_ token: UnverifiedToken) {
    let claims = token.claims
    if request.nonce == nil && !claims.has("nonce") && !request.nonceRule.isRequired {
      skip("nonce")
    } else {
      let error = refusal { () throws(TokenError) in
        try VerifiedToken.checkNonce(request.nonce, claims: claims, rule: request.nonceRule)
      }
      add(
        "nonce", error, expected: "SHA-256 of the raw nonce, in hex",
        got: error?.code.explanation
          ?? (request.nonce == nil ? "set by the provider's SDK, not by the request" : "matches"))
    }
    explainHash(
      "access token hash", of: request.accessToken, claim: "at_hash", token, .accessTokenHash)
    explainHash("code hash", of: request.code, claim: "c_hash", token, .codeHash)
  }

  private mutating func explainHash(
    _ name: String, of value: String?, claim: String, _ token: UnverifiedToken,
    _ code: TokenError.Code
  ) {
    guard let value, token.claims.has(claim) else { return skip(name) }
    let error = refusal { () throws(TokenError) in
      try VerifiedToken.checkHash(
        of: value, claim: claim, in: token.claims, hash: token.header.algorithm.hash,
        isRequired: false, code: code)
    }
    add(
      name, error, expected: "the left half of the hash, in base64url",
      got: error == nil ? "matches" : "doesn't match")
  }

  // MARK: Rows

  private var keyNames: String {
    let names = keys.keys.map { $0.keyID ?? "(a key without kid)" }
    return names.isEmpty ? "none: the set has no usable key" : names.joined(separator: ", ")
  }

  private func refusal(_ check: () throws(TokenError) -> Void) -> TokenError? {
    do throws(TokenError) {
      try check()
      return nil
    } catch {
      return error
    }
  }

  /// A claim as JSON text, which shows its type: `"1"` differs from `1`.
  private func shown(_ name: String, of claims: Claims) -> String {
    claims.jsonText(name) ?? "absent"
  }

  private mutating func add(_ name: String, _ error: TokenError?, expected: String, got: String) {
    checks.append(
      .init(
        name: name, verdict: error == nil ? .pass : .fail, code: error?.code,
        expected: printable(expected), got: printable(got)))
  }

  private mutating func skip(_ name: String) {
    checks.append(.init(name: name, verdict: .skipped, code: nil, expected: "", got: ""))
  }

  /// Escapes and shortens text from a token, so that it can't control or flood the terminal.
  private func printable(_ text: String) -> String {
    let greatestLength = 200
    var shown = ""
    for scalar in text.unicodeScalars.prefix(greatestLength) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > greatestLength ? shown + "…" : shown
  }
}

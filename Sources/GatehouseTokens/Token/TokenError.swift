import struct Foundation.Date

/// Why a token was refused: what was wrong, what was expected and what was received.
///
/// `==` compares everything. ``description`` holds only the code and its explanation, so it is safe
/// to log. The other properties may hold values from the token: use them only in the response to
/// the caller that presented it.
public struct TokenError: Error, Sendable, Hashable, CustomStringConvertible {
  public let code: Code

  /// The accepted values. If `exp`, `iat` or `nbf` is not accepted, the time of the check. Empty if there
  /// is no short form.
  public let expected: [String]

  /// The token's values; for `Code.keyRefused` and `Code.keyUse` what is wrong with the key. Empty if the values were absent or are not
  /// disclosed.
  public let received: [String]

  /// The token's claims, if and only if its signature was verified before this error.
  ///
  /// The issuer signed them, but the token is not accepted: use them for the text of a response,
  /// never to sign a user in.
  public let verifiedClaims: Claims?

  public init(
    _ code: Code, expected: [String] = [], received: [String] = [], verifiedClaims: Claims? = nil
  ) {
    self.code = code
    self.expected = expected
    self.received = received
    self.verifiedClaims = verifiedClaims
  }

  public var description: String { "\(code.rawValue): \(code.explanation)" }

  /// The same error, with the claims of a token whose signature is valid.
  func with(verifiedClaims: Claims) -> TokenError {
    TokenError(
      code, expected: expected, received: received, verifiedClaims: verifiedClaims)
  }
}

extension TokenError {
  /// Stable names of errors; `gatehouse token explain` prints them.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    // The compact form and its header.
    case tooLong
    case segments
    case base64URL
    case emptySignature
    case header
    case payload
    case algorithmUnsupported
    case algorithmNotAllowed
    case criticalHeader
    case type

    // The choice of the key.
    case keyUnknown
    case keyAmbiguous
    case keyIDRequired
    case keyAlgorithm
    case keyUse
    case keyRefused

    case signature
    case secretTooShort

    // Claims.
    case issuer
    case audience
    case untrustedAudience
    case authorizedParty
    case subject
    case expiry
    case expired
    case lifetime
    case issuedAt
    case issuedInFuture
    case tooOld
    case notBefore
    case notYetValid
    case isNotification
    case isNotNotification

    // What binds a token to a request.
    case nonceMissingInRequest
    case nonceMissingInToken
    case nonceMismatch
    case nonceNotHashed
    case nonceLength
    case accessTokenHash
    case codeHash
  }
}

extension TokenError.Code {
  /// One sentence that contains nothing from the token.
  public var explanation: String {
    switch self {
    case .tooLong: "The token is longer than the limit."
    case .segments: "The token isn't three segments separated by dots."
    case .base64URL: "A segment isn't canonical base64url without padding."
    case .emptySignature: "The token has no signature."
    case .header: "The header isn't a JSON object with the members that JWS defines."
    case .payload: "The payload isn't a JSON object, or it has duplicate members."
    case .algorithmUnsupported: "The header's alg isn't supported."
    case .algorithmNotAllowed: "The header's alg isn't one of the configured algorithms."
    case .criticalHeader: "The header has crit, but no critical extension is supported."
    case .type: "The header's typ isn't accepted for this kind of token."
    case .keyUnknown: "No key of the set has the header's kid, or no key fits the header's alg."
    case .keyAmbiguous: "Different keys of the set have the header's kid, and fit its alg."
    case .keyIDRequired: "The header has no kid, and different keys of the set fit its alg."
    case .keyAlgorithm: "The key doesn't fit the header's alg."
    case .keyUse: "The key isn't for verifying signatures (use or key_ops)."
    case .keyRefused: "The key is malformed or weak, or its size, exponent or alg isn't accepted."
    case .signature: "The signature doesn't verify with the key."
    case .secretTooShort: "The client secret has fewer than 32 bytes, which HS256 requires."
    case .issuer: "iss isn't the configured issuer."
    case .audience: "aud doesn't name this application."
    case .untrustedAudience: "aud also names a party that isn't trusted, and azp is absent."
    case .authorizedParty: "azp isn't this application."
    case .subject:
      "sub is absent, isn't a string, is empty or too long, or differs from iss in an assertion."
    case .expiry: "exp is absent or not a time."
    case .expired: "The token has expired."
    case .lifetime: "The token is valid for longer than allowed."
    case .issuedAt: "iat is absent or not a time."
    case .issuedInFuture: "The token was issued in the future."
    case .tooOld: "The token was issued too long ago."
    case .notBefore: "nbf is not a time."
    case .notYetValid: "The token is not valid yet."
    case .isNotification: "The token is a notification (it has events), not an ID token."
    case .isNotNotification: "The token is not a notification: it has no events."
    case .nonceMissingInRequest:
      "The request has no nonce, but the token has one or the configuration requires one."
    case .nonceMissingInToken: "The request has a nonce, but the token has none."
    case .nonceMismatch:
      "The token's nonce isn't the SHA-256 of the request's nonce in lower-case hex."
    case .nonceNotHashed:
      "The nonces are equal: send the provider the SHA-256 in hex, and the server the raw nonce."
    case .nonceLength: "The request's nonce isn't 1 to 256 bytes long."
    case .accessTokenHash: "at_hash doesn't match the access token."
    case .codeHash: "c_hash doesn't match the authorization code."
    }
  }
}

/// Seconds since 1970 for an error's detail: whole ones without a fraction.
func seconds(_ date: Date) -> String { seconds(date.timeIntervalSince1970) }

func seconds(_ seconds: Double) -> String {
  Int64(exactly: seconds).map { String($0) } ?? "\(seconds)"
}

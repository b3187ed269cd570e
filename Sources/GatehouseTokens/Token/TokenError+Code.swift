extension TokenError {
  /// Stable names for refusals; `gatehouse token explain` prints them.
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

    // Which key.
    case keyUnknown
    case keyAmbiguous
    case keyIDRequired
    case keyAlgorithm
    case keyUse
    case keyRefused

    case signature

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
  /// One sentence, without anything from a token.
  public var explanation: String {
    switch self {
    case .tooLong: "The token is longer than the limit."
    case .segments: "The token isn't three segments separated by dots."
    case .base64URL: "A segment isn't canonical base64url without padding."
    case .emptySignature: "The token has no signature."
    case .header: "The header isn't a JSON object with the members that JWS defines."
    case .payload: "The payload isn't a JSON object without duplicate members."
    case .algorithmUnsupported: "The header's alg is none that exists here."
    case .algorithmNotAllowed: "The header's alg isn't among those configured."
    case .criticalHeader: "The header has crit, and no extension is understood."
    case .type: "The header's typ isn't that of an ID token."
    case .keyUnknown: "No key of the set has the header's kid."
    case .keyAmbiguous: "Several keys of the set have the header's kid."
    case .keyIDRequired: "The header has no kid, and more than one key of the set would fit."
    case .keyAlgorithm: "The key isn't one for the header's alg."
    case .keyUse: "The key isn't for verifying signatures (use or key_ops)."
    case .keyRefused: "The key is too weak or malformed."
    case .signature: "The signature doesn't verify with the key."
    case .issuer: "iss isn't the issuer that is configured."
    case .audience: "aud doesn't name this application."
    case .untrustedAudience: "aud also names a party that isn't trusted, and azp doesn't vouch."
    case .authorizedParty: "azp isn't this application."
    case .subject: "sub is absent, empty, too long, or not a string."
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
    case .nonceMissingInRequest: "The token has a nonce, the request none."
    case .nonceMissingInToken: "The request has a nonce, the token none."
    case .nonceMismatch: "The token's nonce isn't the SHA-256 of the request's, in hex."
    case .nonceNotHashed:
      "The token's nonce equals the request's: the provider gets the hash, the server the raw one."
    case .nonceLength: "The request's nonce isn't 1 to 256 bytes long."
    case .accessTokenHash: "at_hash isn't that of the access token."
    case .codeHash: "c_hash isn't that of the authorization code."
    }
  }
}

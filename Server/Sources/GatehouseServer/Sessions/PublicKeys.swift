import GatehouseProtocol

/// The public keys of one kind of tokens, in the two forms that verifiers fetch.
struct PublicKeys: Endpoint {
  let services: APIServices
  let kind: Kind

  enum Kind: Sendable {
    case idTokens, sessionCookies
  }

  var routes: [Route] {
    switch kind {
    case .idTokens:
      let google = "securetoken@system.gserviceaccount.com"
      return [
        .open("robot/v1/metadata/jwk/\(google)", "keys", keySet),
        .open("robot/v1/metadata/x509/\(google)", "certificates", certificates),
        .open(".well-known/jwks.json", "keys", keySet),
      ]
    case .sessionCookies:
      return [
        .open("v1/sessionCookiePublicKeys", "cookieKeys", keySet),
        .open("relyingparty/publicKeys", "cookieCertificates", certificates),
      ]
    }
  }

  private var keys: TokenSigningKeys {
    switch kind {
    case .idTokens: services.idTokenKeys
    case .sessionCookies: services.sessionCookieKeys
    }
  }

  /// By schedule, a key is published a day before it signs. So caching for an hour is harmless.
  /// Seconds.
  static let cachedSeconds = 3600

  /// As a key set (RFC 7517 §5).
  func keySet(_ call: Call) -> Answer {
    Answer(json: keys.document, cachedSeconds: Self.cachedSeconds)
  }

  /// As the map from key id to PEM certificate that Google's libraries fetch.
  func certificates(_ call: Call) -> Answer {
    var writer = JSONWriter()
    writer.object { object in
      for key in keys.published { object.member(key.keyID, key.certificate) }
    }
    return Answer(json: writer.bytes, cachedSeconds: Self.cachedSeconds)
  }
}

import GatehouseAccounts

/// The public keys of our ID tokens as a key set (RFC 7517), under our name for it and Google's.
struct PublicKeys: Sendable {
  let services: APIServices

  /// Keys are published a day before they sign, so an hour in a cache is harmless. Seconds.
  static let cachedSeconds = 3600

  func keySet(_ call: Call) -> Answer {
    Answer(json: services.idTokenKeys.document, cachedSeconds: Self.cachedSeconds)
  }
}

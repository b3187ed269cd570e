import GatehouseProtocol
import GatehouseTokens

/// The extensions for OpenID Connect providers: the key for client assertions, additional clients,
/// the response mode, and the mapping of claims.
extension ProviderResource {
  /// Without the private key and the clients' secrets: no caller needs to read them back.
  mutating func show(settingsOf provider: ProviderConfiguration) {
    if let key = provider.clientKey {
      let signer = try? PrivateKeySigner(key)
      clientKey = ClientKey(
        keyID: signer?.keyID ?? key.keyID, algorithm: signer?.algorithm.rawValue ?? key.algorithm,
        audience: key.audience.rawValue, publicKeySet: signer.flatMap { try? $0.publicKeySet() })
    }
    clients = provider.clients.map { Client($0) }
    responseMode = provider.responseMode?.rawValue
    clientAuthentication = provider.secretPlace?.rawValue
    if !provider.claimMapping.isEmpty {
      var mapping = ClaimMapping()
      mapping.email = provider.claimMapping.email?.text
      mapping.emailVerified = provider.claimMapping.emailVerified?.text
      mapping.name = provider.claimMapping.name?.text
      mapping.picture = provider.claimMapping.picture?.text
      claimMapping = mapping
    }
  }

  /// - Throws: ``APIError`` for a value that its field doesn't allow.
  func applySettings(
    to provider: inout ProviderConfiguration, under mask: FieldMask
  ) throws(APIError) {
    if mask.touches("clientKey") { try applyKey(to: &provider, under: mask) }
    if mask.covers("responseMode", presentInBody: responseMode != nil) {
      let text = responseMode.flatMap { $0.isEmpty ? nil : $0 }
      let mode = text.flatMap { ResponseMode(rawValue: $0) }
      guard mode != nil || text == nil else {
        throw .invalidConfiguration(
          .invalidConfig, "responseMode is query, form_post or fragment.")
      }
      provider.responseMode = mode
    }
    if mask.covers("clientAuthentication", presentInBody: clientAuthentication != nil) {
      let text = clientAuthentication.flatMap { $0.isEmpty ? nil : $0 }
      let place = text.flatMap { SecretPlace(rawValue: $0) }
      guard place != nil || text == nil else {
        throw .invalidConfiguration(
          .invalidConfig, "clientAuthentication is client_secret_basic or client_secret_post.")
      }
      provider.secretPlace = place
    }
    if mask.covers("clients", presentInBody: clients != nil) { applyClients(to: &provider) }
    try applyMapping(to: &provider, under: mask)
  }

  /// A client that is sent without a secret keeps its stored one, because an administrator can't
  /// send back a secret that isn't shown.
  private func applyClients(to provider: inout ProviderConfiguration) {
    let known = provider.clients
    provider.clients = (clients ?? []).map { given in
      let secret = known.first { $0.clientID.hasSameBytes(as: given.clientID) }?.secret
      return ProviderClient(
        clientID: given.clientID, secret: given.clientSecret.map { Secret($0) } ?? secret,
        bundleIDs: given.bundleIDs)
    }
  }

  /// After a change of the issuer or of the discovery document's place, the clients' hidden secrets must
  /// be sent again, so that they never reach another host by accident.
  func forgetSecrets(of provider: inout ProviderConfiguration) {
    for index in provider.clients.indices {
      let clientID = provider.clients[index].clientID
      let given = clients?.first { $0.clientID.hasSameBytes(as: clientID) }?.clientSecret
      provider.clients[index].secret = given.map { Secret($0) }
    }
  }

  private func applyKey(
    to provider: inout ProviderConfiguration, under mask: FieldMask
  ) throws(APIError) {
    guard let given = clientKey else {
      if mask.covers("clientKey", presentInBody: false) { provider.clientKey = nil }
      return
    }
    // A member that isn't sent keeps its value, because an administrator can't send back a private
    // key that isn't shown.
    var key = provider.clientKey
    if let privateKey = given.privateKey,
      mask.covers("clientKey.privateKey", presentInBody: true)
    {
      // A new key doesn't have the former key's id and algorithm.
      key = GatehouseServer.ClientKey(
        privateKey: Secret(privateKey), audience: key?.audience ?? .issuer)
    }
    guard var key else {
      throw .invalidConfiguration(.invalidConfig, "clientKey.privateKey cannot be empty.")
    }
    if mask.covers("clientKey.keyId", presentInBody: given.keyID != nil) {
      key.keyID = given.keyID
    }
    if mask.covers("clientKey.algorithm", presentInBody: given.algorithm != nil) {
      key.algorithm = given.algorithm
    }
    if mask.covers("clientKey.audience", presentInBody: given.audience != nil) {
      let text = given.audience ?? AssertionAudience.issuer.rawValue
      guard let audience = AssertionAudience(rawValue: text) else {
        throw .invalidConfiguration(
          .invalidConfig, "clientKey.audience is issuer or tokenEndpoint.")
      }
      key.audience = audience
    }
    provider.clientKey = key
  }

  private func applyMapping(
    to provider: inout ProviderConfiguration, under mask: FieldMask
  ) throws(APIError) {
    if claimMapping?.unknown.isEmpty == false {
      throw .invalidConfiguration(
        .invalidConfig,
        "claimMapping has email, emailVerified, name and picture. The subject is "
          + "always sub.")
    }
    let given: [(GatehouseServer.ClaimMapping.Field, String?)] = [
      (.email, claimMapping?.email), (.emailVerified, claimMapping?.emailVerified),
      (.name, claimMapping?.name), (.picture, claimMapping?.picture),
    ]
    for (field, text) in given
    where mask.covers("claimMapping.\(field.rawValue)", presentInBody: text != nil) {
      let path = text.flatMap { ClaimPath($0) }
      guard path != nil || text == nil else {
        throw .invalidConfiguration(
          .invalidConfig,
          "claimMapping.\(field.rawValue) is the name of a claim about the user, "
            + "or a JSON Pointer of at most \(ClaimPath.maximumDepth) names.")
      }
      provider.claimMapping[field] = path
    }
  }
}

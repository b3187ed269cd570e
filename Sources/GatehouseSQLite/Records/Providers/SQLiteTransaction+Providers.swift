import GatehouseAccounts
import GatehouseModel

extension SQLiteTransaction: ProviderRecords {
  func provider(_ id: ProviderID, in project: ProjectID) throws -> ProviderConfiguration? {
    guard let key = try key(of: project) else { return nil }
    let found = try connection.first(ProviderSQL.provider, .integer(key), .text(id.text)) { row in
      var provider = ProviderConfiguration(
        id: id, clientID: try row.text(2),
        trustEmail: try row.value(9, "trust in email addresses", EmailTrust.init(rawValue:)))
      provider.isEnabled = row.flag(0)
      provider.displayName = try row.optionalText(1)
      provider.additionalClientIDs = try JSONColumn.value(try row.text(3), "list of client ids")
      provider.trustedAudiences = try JSONColumn.value(try row.text(4), "list of audiences")
      provider.clientSecret = try opened(
        row.optionalBlob(5), Self.place("client_secret", of: id, in: project))
      provider.issuer = try row.optionalText(6)
      provider.responseType = .init(code: row.flag(7), idToken: row.flag(8))
      provider.requiresNonce = row.flag(10)
      provider.isPublicClient = row.flag(15)
      provider.responseMode = try row.optionalText(16).map { text in
        guard let mode = ResponseMode(rawValue: text) else {
          throw StoreError.damaged("a stored response mode can't be read")
        }
        return mode
      }
      provider.claimMapping = try Self.mapping(try row.optionalText(17))
      provider.secretPlace = try row.optionalText(18).map { text in
        guard let place = SecretPlace(rawValue: text) else {
          throw StoreError.damaged("a stored client authentication can't be read")
        }
        return place
      }
      if let names = try row.optionalText(19) {
        provider.allowedParameters = try JSONColumn.value(names, "list of parameters")
      }
      if let bundleIDs = try row.optionalText(11) {
        provider.apple = .init(
          bundleIDs: try JSONColumn.value(bundleIDs, "list of bundle ids"),
          teamID: try row.optionalText(12), keyID: try row.optionalText(13),
          privateKey: try opened(
            row.optionalBlob(14), Self.place("apple_private_key", of: id, in: project)))
      }
      return provider
    }
    guard var provider = found else { return nil }
    provider.clientKey = try clientKey(of: id, key, in: project)
    provider.clients = try clients(of: id, key, in: project)
    return provider
  }

  func providers(in project: ProjectID) throws -> [ProviderConfiguration] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(ProviderSQL.ids, .integer(key)) {
      try $0.value(0, "provider's id", ProviderID.init)
    }
    .compactMap { try provider($0, in: project) }
  }

  func save(_ provider: ProviderConfiguration, in project: ProjectID) throws {
    let apple = provider.apple
    try connection.run(
      ProviderSQL.save, .integer(try existingKey(of: project)), .text(provider.id.text),
      .flag(provider.isEnabled), .optional(provider.displayName), .text(provider.clientID),
      .text(try JSONColumn.text(provider.additionalClientIDs)),
      .text(try JSONColumn.text(provider.trustedAudiences)),
      .optional(
        try sealed(
          provider.clientSecret, Self.place("client_secret", of: provider.id, in: project))),
      .optional(provider.issuer), .flag(provider.responseType.code),
      .flag(provider.responseType.idToken), .text(provider.trustEmail.rawValue),
      .flag(provider.requiresNonce), .optional(try apple.map { try JSONColumn.text($0.bundleIDs) }),
      .optional(apple?.teamID), .optional(apple?.keyID),
      .optional(
        try sealed(
          apple?.privateKey, Self.place("apple_private_key", of: provider.id, in: project))),
      .flag(provider.isPublicClient), .optional(provider.responseMode?.rawValue),
      .optional(try Self.text(of: provider.claimMapping)),
      .optional(provider.secretPlace?.rawValue),
      .optional(
        provider.allowedParameters.isEmpty
          ? nil : try JSONColumn.text(provider.allowedParameters)))
    try save(provider.clients, of: provider.id, in: project)
    try save(provider.clientKey, of: provider.id, in: project)
    try countChange()
  }

  func deleteProvider(_ id: ProviderID, in project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    let count = try connection.change(ProviderSQL.delete, .integer(key), .text(id.text))
    if count > 0 { try countChange() }
    return count > 0
  }

  static func place(
    _ column: String, of id: ProviderID, in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(table: "providers", project: project.text, row: id.text, column: column)
  }

  func sealed(_ secret: Secret<String>?, _ place: SealedPlace) throws -> [UInt8]? {
    try secret.map { try sealing.seal(Array($0.reveal().utf8), at: place) }
  }

  func opened(_ sealed: [UInt8]?, _ place: SealedPlace) throws -> Secret<String>? {
    try sealed.map { Secret(String(decoding: try sealing.open($0, at: place), as: UTF8.self)) }
  }
}

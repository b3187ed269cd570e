package import GatehouseProtocol

extension Transaction {
  package func provider(_ id: ProviderID, in project: ProjectID) throws -> ProviderConfiguration? {
    guard let key = try key(of: project) else { return nil }
    let found = try connection.first(ProviderRecordSQL.provider, .integer(key), .text(id.text)) {
      row in
      typealias Column = ProviderColumn
      var provider = ProviderConfiguration(
        id: id, clientID: try row.text(Column.clientID),
        trustEmail: try row.value(
          Column.trustEmail, "trust in email addresses", EmailTrust.init(rawValue:)))
      provider.project = project
      provider.isEnabled = row.flag(Column.isEnabled)
      provider.displayName = try row.optionalText(Column.displayName)
      provider.additionalClientIDs = try JSONColumn.value(
        try row.text(Column.additionalClientIDs), "list of client ids")
      provider.trustedAudiences = try JSONColumn.value(
        try row.text(Column.trustedAudiences), "list of audiences")
      provider.clientSecret = try opened(
        row.optionalBlob(Column.clientSecret), Self.place(.providerSecret, of: id, in: project))
      provider.issuer = try row.optionalText(Column.issuer)
      provider.discoveryURL = try row.optionalText(Column.discoveryURL)
      provider.responseType = .init(
        code: row.flag(Column.returnsCode), idToken: row.flag(Column.returnsIdToken))
      provider.requiresNonce = row.flag(Column.requiresNonce)
      provider.isPublicClient = row.flag(Column.isPublicClient)
      provider.responseMode = try row.optionalText(Column.responseMode).map { text in
        guard let mode = ResponseMode(rawValue: text) else {
          throw StoreError.damaged("a stored response mode can't be read")
        }
        return mode
      }
      provider.claimMapping = try Self.mapping(try row.optionalText(Column.claimMapping))
      provider.secretPlace = try row.optionalText(Column.secretPlace).map { text in
        guard let place = SecretPlace(rawValue: text) else {
          throw StoreError.damaged("a stored client authentication can't be read")
        }
        return place
      }
      provider.keepsRefreshToken = row.optionalFlag(Column.keepsRefreshToken)
      provider.notificationForwardURL = try row.optionalText(Column.notificationForwardURL)
      if let names = try row.optionalText(Column.allowedParameters) {
        provider.allowedParameters = try JSONColumn.value(names, "list of parameters")
      }
      if let scopes = try row.optionalText(Column.scopes) {
        provider.scopes = try JSONColumn.value(scopes, "list of scopes")
      }
      if let bundleIDs = try row.optionalText(Column.appleBundleIDs) {
        provider.apple = .init(
          bundleIDs: try JSONColumn.value(bundleIDs, "list of bundle ids"),
          teamID: try row.optionalText(Column.appleTeamID),
          keyID: try row.optionalText(Column.appleKeyID),
          privateKey: try opened(
            row.optionalBlob(Column.applePrivateKey),
            Self.place(.applePrivateKey, of: id, in: project)))
      }
      return provider
    }
    guard var provider = found else { return nil }
    provider.clientKey = try clientKey(of: id, key, in: project)
    provider.clients = try clients(of: id, key, in: project)
    return provider
  }

  /// In the order of their ids, byte by byte.
  package func providers(in project: ProjectID) throws -> [ProviderConfiguration] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(ProviderSQL.ids, .integer(key)) {
      try $0.value(0, "provider's id", ProviderID.init)
    }
    .compactMap { try provider($0, in: project) }
  }

  /// Writes the configuration with its secrets encrypted. Increases ``Store/changeCounter()``.
  package func save(_ provider: ProviderConfiguration, in project: ProjectID) throws {
    try change(provider.id, in: project) {
      try connection.run(
        ProviderRecordSQL.save,
        [.integer(try existingKey(of: project)), .text(provider.id.text)]
          + ProviderColumn.allCases.map { try value($0, of: provider, in: project) })
      try save(provider.clients, of: provider.id, in: project)
      try save(provider.clientKey, of: provider.id, in: project)
    }
  }

  private func change<Value>(
    _ id: ProviderID, in project: ProjectID, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("provider", id.text), in: project,
      comparedWith: ProviderConfiguration(id: id, clientID: "", trustEmail: .never),
      reading: { try provider(id, in: project) }, change)
  }

  private func value(
    _ column: ProviderColumn, of provider: ProviderConfiguration, in project: ProjectID
  ) throws -> SQLValue {
    func sealed(_ secret: Secret<String>?, _ column: SealedColumn) throws -> SQLValue {
      .optional(try self.sealed(secret, Self.place(column, of: provider.id, in: project)))
    }
    let apple = provider.apple
    return switch column {
    case .isEnabled: .flag(provider.isEnabled)
    case .displayName: .optional(provider.displayName)
    case .clientID: .text(provider.clientID)
    case .additionalClientIDs: .text(try JSONColumn.text(provider.additionalClientIDs))
    case .trustedAudiences: .text(try JSONColumn.text(provider.trustedAudiences))
    case .clientSecret: try sealed(provider.clientSecret, .providerSecret)
    case .issuer: .optional(provider.issuer)
    case .returnsCode: .flag(provider.responseType.code)
    case .returnsIdToken: .flag(provider.responseType.idToken)
    case .trustEmail: .text(provider.trustEmail.rawValue)
    case .requiresNonce: .flag(provider.requiresNonce)
    case .appleBundleIDs: .optional(try apple.map { try JSONColumn.text($0.bundleIDs) })
    case .appleTeamID: .optional(apple?.teamID)
    case .appleKeyID: .optional(apple?.keyID)
    case .applePrivateKey: try sealed(apple?.privateKey, .applePrivateKey)
    case .isPublicClient: .flag(provider.isPublicClient)
    case .responseMode: .optional(provider.responseMode?.rawValue)
    case .claimMapping: .optional(try Self.text(of: provider.claimMapping))
    case .secretPlace: .optional(provider.secretPlace?.rawValue)
    case .allowedParameters:
      .optional(
        provider.allowedParameters.isEmpty
          ? nil : try JSONColumn.text(provider.allowedParameters))
    case .keepsRefreshToken: .optional(provider.keepsRefreshToken)
    case .notificationForwardURL: .optional(provider.notificationForwardURL)
    case .discoveryURL: .optional(provider.discoveryURL)
    case .scopes:
      .optional(provider.scopes.isEmpty ? nil : try JSONColumn.text(provider.scopes))
    }
  }

  /// False if there was none. Increases ``Store/changeCounter()``.
  package func deleteProvider(_ id: ProviderID, in project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try change(id, in: project) {
      try connection.change(ProviderSQL.delete, .integer(key), .text(id.text)) > 0
    }
  }

  private static func place(
    _ column: SealedColumn, of id: ProviderID, in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(column, project: project.text, row: id.text)
  }

  func sealed(_ secret: Secret<String>?, _ place: SealedPlace) throws -> [UInt8]? {
    try secret.map { try sealing.seal(Array($0.reveal().utf8), at: place) }
  }

  func opened(_ sealed: [UInt8]?, _ place: SealedPlace) throws -> Secret<String>? {
    try sealed.map { Secret(String(decoding: try sealing.open($0, at: place), as: UTF8.self)) }
  }
}

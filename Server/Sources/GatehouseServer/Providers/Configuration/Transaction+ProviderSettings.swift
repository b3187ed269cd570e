import GatehouseProtocol

/// The settings that only some OpenID Connect providers have.
extension Transaction {
  func clientKey(
    of id: ProviderID, _ key: Int64, in project: ProjectID
  ) throws -> ClientKey? {
    try connection.first(ProviderSQL.key, .integer(key), .text(id.text)) { row in
      guard
        let privateKey = try opened(row.optionalBlob(0), Self.keyPlace(of: id, in: project))
      else { throw StoreError.damaged("a stored provider's key can't be read") }
      return ClientKey(
        privateKey: privateKey, keyID: try row.optionalText(1), algorithm: try row.optionalText(2),
        audience: try row.value(3, "audience", AssertionAudience.init(rawValue:)))
    }
  }

  func save(_ key: ClientKey?, of id: ProviderID, in project: ProjectID) throws {
    let place = SQLValue.integer(try existingKey(of: project))
    guard let key else {
      try connection.run(ProviderSQL.deleteKey, place, .text(id.text))
      return
    }
    try connection.run(
      ProviderSQL.saveKey, place, .text(id.text),
      .optional(try sealed(key.privateKey, Self.keyPlace(of: id, in: project))),
      .optional(key.keyID), .optional(key.algorithm), .text(key.audience.rawValue))
  }

  func clients(
    of id: ProviderID, _ key: Int64, in project: ProjectID
  ) throws -> [ProviderClient] {
    try connection.all(ProviderSQL.clients, .integer(key), .text(id.text)) { row in
      let clientID = try row.text(0)
      return ProviderClient(
        clientID: clientID,
        secret: try opened(
          row.optionalBlob(1), Self.place(ofClient: clientID, of: id, in: project)),
        bundleIDs: try JSONColumn.value(try row.text(2), "list of bundle ids"))
    }
  }

  func save(_ clients: [ProviderClient], of id: ProviderID, in project: ProjectID) throws {
    let key = SQLValue.integer(try existingKey(of: project))
    try connection.run(ProviderSQL.deleteClients, key, .text(id.text))
    for client in clients {
      let place = Self.place(ofClient: client.clientID, of: id, in: project)
      try connection.run(
        ProviderSQL.saveClient, key, .text(id.text), .text(client.clientID),
        .optional(try sealed(client.secret, place)), .text(try JSONColumn.text(client.bundleIDs)))
    }
  }

  private static func place(
    ofClient clientID: String, of id: ProviderID, in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(.providerClientSecret, project: project.text, row: "\(id.text)/\(clientID)")
  }

  private static func keyPlace(of id: ProviderID, in project: ProjectID) -> SealedPlace {
    SealedPlace(.providerKey, project: project.text, row: id.text)
  }

  /// - Throws: `StoreError.damaged`.
  static func mapping(_ text: String?) throws -> ClaimMapping {
    var mapping = ClaimMapping()
    guard let text else { return mapping }
    let paths: [String: String] = try JSONColumn.value(text, "mapping of claims")
    for field in ClaimMapping.Field.allCases {
      guard let path = paths[field.rawValue] else { continue }
      guard let read = ClaimPath(path) else {
        throw StoreError.damaged("a stored mapping of claims can't be read")
      }
      mapping[field] = read
    }
    return mapping
  }

  static func text(of mapping: ClaimMapping) throws -> String? {
    guard !mapping.isEmpty else { return nil }
    var paths: [String: String] = [:]
    for field in ClaimMapping.Field.allCases { paths[field.rawValue] = mapping[field]?.text }
    return try JSONColumn.text(paths)
  }
}

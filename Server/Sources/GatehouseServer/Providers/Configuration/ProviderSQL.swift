enum ProviderSQL: String, SQLStatement {
  case ids = "SELECT id FROM providers WHERE project = ? ORDER BY id"
  case delete = "DELETE FROM providers WHERE project = ? AND id = ?"
  case key = """
    SELECT private_key, key_id, algorithm, audience FROM provider_keys
    WHERE project = ? AND provider = ?
    """
  case saveKey = """
    INSERT INTO provider_keys (project, provider, private_key, key_id, algorithm, audience)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (project, provider) DO UPDATE SET
      private_key = excluded.private_key, key_id = excluded.key_id,
      algorithm = excluded.algorithm, audience = excluded.audience
    """
  case clients = """
    SELECT client_id, secret, bundle_ids FROM provider_clients
    WHERE project = ? AND provider = ? ORDER BY client_id
    """
  case deleteClients = "DELETE FROM provider_clients WHERE project = ? AND provider = ?"
  case saveClient = """
    INSERT INTO provider_clients (project, provider, client_id, secret, bundle_ids)
    VALUES (?, ?, ?, ?, ?)
    """
  case deleteKey = "DELETE FROM provider_keys WHERE project = ? AND provider = ?"
}

enum ProviderColumn: Int32, SQLColumn, SQLPosition {
  case isEnabled, displayName, clientID, additionalClientIDs, trustedAudiences, clientSecret, issuer
  case returnsCode, returnsIdToken, trustEmail, requiresNonce
  case appleBundleIDs, appleTeamID, appleKeyID, applePrivateKey
  case isPublicClient, responseMode, claimMapping, secretPlace, allowedParameters
  case keepsRefreshToken, notificationForwardURL, discoveryURL, scopes
}

enum ProviderRecordSQL: SQLStatement {
  case provider, save

  var text: String {
    switch self {
    case .provider: Self.providerText
    case .save: Self.saveText
    }
  }

  private static let providerText = """
    SELECT \(ProviderColumn.list) FROM providers WHERE project = ? AND id = ?
    """
  /// Values: the project, the id, and the columns.
  private static let saveText = """
    INSERT INTO providers (project, id, \(ProviderColumn.list))
    VALUES (?1, ?2, \(ProviderColumn.marks(behind: 2)))
    ON CONFLICT (project, id) DO UPDATE SET \(ProviderColumn.updates())
    """
}

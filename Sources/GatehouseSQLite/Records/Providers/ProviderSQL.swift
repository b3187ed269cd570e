enum ProviderSQL: String, SQLStatement {
  case provider = """
    SELECT is_enabled, display_name, client_id, additional_client_ids, trusted_audiences,
      client_secret, issuer, returns_code, returns_id_token, trust_email, requires_nonce,
      apple_bundle_ids, apple_team_id, apple_key_id, apple_private_key, is_public_client,
      response_mode, claim_mapping, secret_place, allowed_parameters
    FROM providers WHERE project = ? AND id = ?
    """
  case ids = "SELECT id FROM providers WHERE project = ? ORDER BY id"
  case save = """
    INSERT INTO providers (project, id, is_enabled, display_name, client_id, additional_client_ids,
      trusted_audiences, client_secret, issuer, returns_code, returns_id_token, trust_email,
      requires_nonce, apple_bundle_ids, apple_team_id, apple_key_id, apple_private_key,
      is_public_client, response_mode, claim_mapping, secret_place, allowed_parameters)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project, id) DO UPDATE SET
      is_enabled = excluded.is_enabled, display_name = excluded.display_name,
      client_id = excluded.client_id, additional_client_ids = excluded.additional_client_ids,
      trusted_audiences = excluded.trusted_audiences, client_secret = excluded.client_secret,
      issuer = excluded.issuer, returns_code = excluded.returns_code,
      returns_id_token = excluded.returns_id_token, trust_email = excluded.trust_email,
      requires_nonce = excluded.requires_nonce, apple_bundle_ids = excluded.apple_bundle_ids,
      apple_team_id = excluded.apple_team_id, apple_key_id = excluded.apple_key_id,
      apple_private_key = excluded.apple_private_key,
      is_public_client = excluded.is_public_client, response_mode = excluded.response_mode,
      claim_mapping = excluded.claim_mapping, secret_place = excluded.secret_place,
      allowed_parameters = excluded.allowed_parameters
    """
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

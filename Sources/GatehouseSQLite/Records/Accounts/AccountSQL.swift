/// The lookups return an account's key; one statement reads the row.
enum AccountSQL: String, SQLStatement {
  case byUID = "SELECT key FROM accounts WHERE project = ? AND uid = ?"
  case byEmail = "SELECT key FROM accounts WHERE project = ? AND email = ?"
  case byPhoneNumber = "SELECT key FROM accounts WHERE project = ? AND phone_number = ?"
  case byIdentity = """
    SELECT account FROM identities WHERE project = ? AND provider = ? AND subject = ?
    """
  case byIdentityEmail = "SELECT account FROM identities WHERE project = ? AND email = ? LIMIT 1"
  case firstPage = "SELECT key FROM accounts WHERE project = ? ORDER BY uid LIMIT ?"
  case page = "SELECT key FROM accounts WHERE project = ? AND uid > ? ORDER BY uid LIMIT ?"
  case slice = "SELECT key FROM accounts WHERE project = ? ORDER BY uid LIMIT ? OFFSET ?"
  case sliceFromEnd = """
    SELECT key FROM accounts WHERE project = ? ORDER BY uid DESC LIMIT ? OFFSET ?
    """
  case count = "SELECT accounts FROM account_counts WHERE project = ?"

  case account = """
    SELECT uid, email, is_email_verified, display_name, photo_url, phone_number,
      password_parameters, password_salt, password_digest, password_updated_at, custom_claims,
      is_disabled, is_custom, created_at, last_login_at, last_refresh_at, valid_since_seconds,
      has_email_link, email_verified_at, assigned_fields, phone_linked_at,
      phone_unconfirmed_since
    FROM accounts WHERE key = ?
    """
  case save = """
    INSERT INTO accounts (project, uid, email, is_email_verified, display_name, photo_url,
      phone_number, password_parameters, password_salt, password_digest, password_updated_at,
      custom_claims, is_disabled, is_custom, created_at, last_login_at, last_refresh_at,
      valid_since_seconds, has_email_link, email_verified_at, assigned_fields, phone_linked_at,
      phone_unconfirmed_since)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project, uid) DO UPDATE SET
      email = excluded.email, is_email_verified = excluded.is_email_verified,
      display_name = excluded.display_name, photo_url = excluded.photo_url,
      phone_number = excluded.phone_number, password_parameters = excluded.password_parameters,
      password_salt = excluded.password_salt, password_digest = excluded.password_digest,
      password_updated_at = excluded.password_updated_at, custom_claims = excluded.custom_claims,
      is_disabled = excluded.is_disabled, is_custom = excluded.is_custom,
      created_at = excluded.created_at, last_login_at = excluded.last_login_at,
      last_refresh_at = excluded.last_refresh_at,
      valid_since_seconds = excluded.valid_since_seconds,
      has_email_link = excluded.has_email_link,
      email_verified_at = excluded.email_verified_at,
      assigned_fields = excluded.assigned_fields,
      phone_linked_at = excluded.phone_linked_at,
      phone_unconfirmed_since = excluded.phone_unconfirmed_since
    RETURNING key
    """
  case touch = """
    UPDATE accounts SET last_login_at = coalesce(?3, last_login_at),
      last_refresh_at = coalesce(?4, last_refresh_at)
    WHERE project = ?1 AND uid = ?2
    """
  case delete = "DELETE FROM accounts WHERE project = ? AND uid = ?"

  case identities = """
    SELECT provider, subject, email, display_name, photo_url, screen_name, is_private_email,
      linked_at, real_user_status, issuer, unconfirmed_since
    FROM identities WHERE account = ? ORDER BY position
    """
  case insertIdentity = """
    INSERT INTO identities (project, provider, subject, account, position, email, display_name,
      photo_url, screen_name, is_private_email, linked_at, real_user_status, issuer,
      unconfirmed_since)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  case subjects = """
    SELECT subject FROM identities
    WHERE project = ? AND provider = ? AND subject > ? ORDER BY subject LIMIT ?
    """
  case moveIdentities = """
    UPDATE identities SET issuer = ?6
    WHERE project = ?1 AND provider = ?2 AND subject > ?3 AND subject <= ?4 AND issuer = ?5
    """
  case identitiesOfOtherIssuers = """
    SELECT subject FROM identities WHERE project = ? AND provider = ? AND issuer <> ? LIMIT ?
    """
  case deleteIdentities = "DELETE FROM identities WHERE account = ?"
}

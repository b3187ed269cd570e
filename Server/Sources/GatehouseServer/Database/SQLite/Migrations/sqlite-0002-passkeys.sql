-- Passkeys: see Passkey.
CREATE TABLE passkeys (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  credential_id BLOB NOT NULL,
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  public_key BLOB NOT NULL, -- COSE_Key
  algorithm INTEGER NOT NULL, -- a number of COSE
  sign_count INTEGER NOT NULL,
  is_backup_eligible INTEGER NOT NULL,
  is_backed_up INTEGER NOT NULL,
  transports TEXT NOT NULL, -- a JSON array
  aaguid TEXT,
  name TEXT NOT NULL,
  user_handle BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- The time of the sign-in behind the old session that added the passkey; null: confirmed.
  unconfirmed_since INTEGER,
  PRIMARY KEY (project, credential_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_by_account ON passkeys (account, created_at);

-- How many rows of passkeys the account has, and how many of them are unconfirmed.
ALTER TABLE accounts ADD COLUMN passkey_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN unconfirmed_passkeys INTEGER NOT NULL DEFAULT 0;

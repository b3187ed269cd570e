-- Passkeys: see Passkey.
CREATE TABLE passkeys (
  project bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  credential_id bytea NOT NULL,
  account bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  public_key bytea NOT NULL, -- COSE_Key
  algorithm bigint NOT NULL, -- a number of COSE
  sign_count bigint NOT NULL,
  is_backup_eligible bigint NOT NULL,
  is_backed_up bigint NOT NULL,
  transports text COLLATE "C" NOT NULL, -- a JSON array
  aaguid text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  user_handle bytea NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  -- The time of the sign-in behind the old session that added the passkey; null: confirmed.
  unconfirmed_since bigint,
  PRIMARY KEY (project, credential_id)
);
CREATE INDEX passkeys_by_account ON passkeys (account, created_at);

-- How many rows of passkeys the account has, and how many of them are unconfirmed.
ALTER TABLE accounts ADD COLUMN passkey_count bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN unconfirmed_passkeys bigint NOT NULL DEFAULT 0;

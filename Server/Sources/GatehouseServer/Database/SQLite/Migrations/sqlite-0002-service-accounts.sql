-- Machines that act for a project: whose custom tokens sign in, and which may be administrators.

CREATE TABLE service_accounts (
  key INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE, -- in lower case; unique on the server
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  makes_custom_tokens INTEGER NOT NULL,
  is_administrator INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX service_accounts_by_project ON service_accounts (project, email);

CREATE TABLE service_account_keys (
  account INTEGER NOT NULL REFERENCES service_accounts ON DELETE CASCADE,
  id TEXT NOT NULL,
  public_key BLOB NOT NULL, -- SubjectPublicKeyInfo, DER
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

-- Access tokens end with the key that they were asked for with.
CREATE TABLE access_tokens (
  digest BLOB NOT NULL PRIMARY KEY, -- SHA-256
  account INTEGER NOT NULL,
  key TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY (account, key) REFERENCES service_account_keys (account, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX access_tokens_by_key ON access_tokens (account, key);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);

-- Keys of before may do everything.
ALTER TABLE admin_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';

-- The claims of the custom token that began the session, for all of its ID tokens.
ALTER TABLE sessions ADD COLUMN developer_claims TEXT; -- a JSON object

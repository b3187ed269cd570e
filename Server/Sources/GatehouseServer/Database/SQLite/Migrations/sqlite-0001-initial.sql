-- Times are milliseconds since 1970 unless a column's name says otherwise. Identifiers compare byte
-- by byte (BINARY, SQLite's standard). A project and an account have a small integer key of their
-- own, so that the rows and indexes under them stay small.

PRAGMA application_id = 1196705875; -- 'GTHS'

CREATE TABLE projects (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  number INTEGER NOT NULL, -- the bits of an unsigned number
  display_name TEXT,
  issuer TEXT NOT NULL,
  authorized_domains TEXT NOT NULL, -- a JSON array
  policies TEXT NOT NULL -- a JSON object
) STRICT;

CREATE TABLE api_keys (
  text TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  display_name TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_project ON api_keys (project);

CREATE TABLE providers (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  display_name TEXT,
  client_id TEXT NOT NULL,
  additional_client_ids TEXT NOT NULL, -- a JSON array
  trusted_audiences TEXT NOT NULL, -- a JSON array
  client_secret BLOB, -- sealed
  issuer TEXT,
  returns_code INTEGER NOT NULL,
  returns_id_token INTEGER NOT NULL,
  trust_email TEXT NOT NULL,
  requires_nonce INTEGER NOT NULL,
  apple_bundle_ids TEXT, -- a JSON array; null: no settings of Apple's
  apple_team_id TEXT,
  apple_key_id TEXT,
  apple_private_key BLOB, -- sealed
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  uid TEXT NOT NULL,
  email TEXT,
  is_email_verified INTEGER NOT NULL,
  display_name TEXT,
  photo_url TEXT,
  phone_number TEXT,
  password_parameters TEXT,
  password_salt BLOB,
  password_digest BLOB,
  password_updated_at INTEGER,
  custom_claims TEXT, -- a JSON object
  is_disabled INTEGER NOT NULL,
  is_custom INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER,
  last_refresh_at INTEGER,
  valid_since_seconds INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX accounts_by_uid ON accounts (project, uid);
CREATE UNIQUE INDEX accounts_by_email ON accounts (project, email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX accounts_by_phone_number ON accounts (project, phone_number)
  WHERE phone_number IS NOT NULL;

CREATE TABLE identities (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  position INTEGER NOT NULL, -- the order in which the account's were linked
  email TEXT,
  display_name TEXT,
  photo_url TEXT,
  screen_name TEXT,
  is_private_email INTEGER,
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (project, provider, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identities_by_account ON identities (account, provider);

-- Sessions outlive their account as tombstones: they name it by its id.
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id BLOB NOT NULL,
  uid TEXT NOT NULL,
  provider TEXT NOT NULL,
  sign_in_attributes TEXT, -- a JSON object
  created_at INTEGER NOT NULL,
  authenticated_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  rotation INTEGER NOT NULL,
  rotated_at_1 INTEGER, -- newest
  rotated_at_2 INTEGER,
  rotated_at_3 INTEGER,
  rotated_at_4 INTEGER,
  ended_at INTEGER,
  ended_reason TEXT
) STRICT;
CREATE UNIQUE INDEX sessions_by_id ON sessions (project, id);
CREATE INDEX sessions_live ON sessions (project, uid) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE spent_tokens (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  digest BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (project, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_tokens_by_expiry ON spent_tokens (expires_at);

CREATE TABLE detachments (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  detached_at INTEGER NOT NULL,
  kept_until INTEGER NOT NULL,
  PRIMARY KEY (project, provider, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX detachments_by_expiry ON detachments (kept_until);

CREATE TABLE signing_keys (
  ring TEXT NOT NULL,
  key_id TEXT NOT NULL,
  private_key BLOB NOT NULL, -- sealed
  published_at INTEGER NOT NULL,
  activated_at INTEGER,
  retired_at INTEGER,
  PRIMARY KEY (ring, key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE admin_keys (
  digest BLOB NOT NULL PRIMARY KEY,
  prefix TEXT NOT NULL UNIQUE,
  project INTEGER REFERENCES projects ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_keys_by_project ON admin_keys (project) WHERE project IS NOT NULL;

CREATE TABLE server_values (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Every process that serves this database asks for this number to learn of changes.
CREATE TABLE change_counter (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  value INTEGER NOT NULL
) STRICT;
INSERT INTO change_counter (only_row, value) VALUES (1, 0);

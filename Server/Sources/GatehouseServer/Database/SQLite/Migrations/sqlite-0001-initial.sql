-- Times are milliseconds since 1970 unless a column's name says otherwise, flags are 0 or 1. Identifiers
-- compare byte by byte (BINARY, SQLite's standard). A project and an account have a small integer key of
-- their own, so that the rows and indexes under them stay small.

PRAGMA application_id = 1196705875; -- 'GTHS'

-- Projects: their settings, API keys and apps.

CREATE TABLE projects (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  number INTEGER NOT NULL, -- the bits of an unsigned number
  display_name TEXT,
  issuer TEXT NOT NULL,
  authorized_domains TEXT NOT NULL, -- a JSON array
  policies TEXT NOT NULL, -- a JSON object
  blocking_functions BLOB -- sealed; with their secrets; null: none
) STRICT;

CREATE TABLE api_keys (
  text TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  display_name TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_project ON api_keys (project);

-- Apps on Apple's platforms, each with an API key of its own. Apple is told of them, so that links of this
-- server open them.
CREATE TABLE apps (
  id TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  bundle_id TEXT NOT NULL,
  team_id TEXT, -- ten characters; null: that of the project's apple.com
  display_name TEXT,
  api_key TEXT NOT NULL REFERENCES api_keys,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX apps_by_bundle_id ON apps (project, bundle_id);
CREATE UNIQUE INDEX apps_by_api_key ON apps (api_key);

-- Likewise for Google.
CREATE TABLE android_apps (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  package_name TEXT NOT NULL,
  display_name TEXT,
  fingerprints TEXT NOT NULL, -- a JSON array
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, package_name)
) STRICT, WITHOUT ROWID;

-- Administrators, and machines that act for a project.

CREATE TABLE admin_keys (
  digest BLOB NOT NULL PRIMARY KEY,
  prefix TEXT NOT NULL UNIQUE,
  project INTEGER REFERENCES projects ON DELETE CASCADE, -- null: all
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_keys_by_project ON admin_keys (project) WHERE project IS NOT NULL;

CREATE TABLE service_accounts (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  email TEXT NOT NULL UNIQUE, -- in lower case; unique on the server
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

-- Providers.

CREATE TABLE providers (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  display_name TEXT,
  issuer TEXT,
  discovery_url TEXT, -- null: as the issuer tells
  client_id TEXT NOT NULL,
  client_secret BLOB, -- sealed
  secret_place TEXT, -- null: as the discovery document says
  is_public_client INTEGER NOT NULL, -- without a secret: PKCE alone protects its codes
  additional_client_ids TEXT NOT NULL, -- a JSON array
  trusted_audiences TEXT NOT NULL, -- a JSON array
  scopes TEXT, -- a JSON array; null: the scopes that the provider offers
  allowed_parameters TEXT, -- a JSON array of names that apps may set; null: none beyond the usual
  returns_code INTEGER NOT NULL,
  returns_id_token INTEGER NOT NULL,
  response_mode TEXT, -- null: as the server chooses
  requires_nonce INTEGER NOT NULL,
  claim_mapping TEXT, -- a JSON object from what is mapped to where it is; null: nothing is
  trust_email TEXT NOT NULL,
  keeps_refresh_token INTEGER, -- null: as is usual for the provider
  notification_forward_url TEXT,
  apple_bundle_ids TEXT, -- a JSON array; null: no settings of Apple's
  apple_team_id TEXT,
  apple_key_id TEXT,
  apple_private_key BLOB, -- sealed
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

-- What signs our assertions to a provider, in place of a client secret.
CREATE TABLE provider_keys (
  project INTEGER NOT NULL,
  provider TEXT NOT NULL,
  private_key BLOB NOT NULL, -- sealed
  key_id TEXT, -- null: the key's thumbprint
  algorithm TEXT, -- null: the key's usual one
  audience TEXT NOT NULL,
  PRIMARY KEY (project, provider),
  FOREIGN KEY (project, provider) REFERENCES providers ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Further clients, each for the apps that use it.
CREATE TABLE provider_clients (
  project INTEGER NOT NULL,
  provider TEXT NOT NULL,
  client_id TEXT NOT NULL,
  secret BLOB, -- sealed
  bundle_ids TEXT NOT NULL, -- a JSON array
  PRIMARY KEY (project, provider, client_id),
  FOREIGN KEY (project, provider) REFERENCES providers ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The last notification of each provider, for operators.
CREATE TABLE provider_notifications (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project, provider)
) STRICT, WITHOUT ROWID;

-- Users' changes of subject, because apps move to another team: see SubjectTransfer.
CREATE TABLE subject_transfers (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  old_subject TEXT NOT NULL,
  transfer_subject TEXT NOT NULL,
  team TEXT NOT NULL,
  prepared_at INTEGER NOT NULL,
  new_subject TEXT,
  completed_at INTEGER,
  PRIMARY KEY (project, provider, old_subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX subject_transfers_by_transfer
  ON subject_transfers (project, provider, transfer_subject);
CREATE INDEX subject_transfers_by_new ON subject_transfers (project, provider, new_subject)
  WHERE new_subject IS NOT NULL;
CREATE INDEX subject_transfers_open ON subject_transfers (project, provider, old_subject)
  WHERE completed_at IS NULL;

-- Accounts and their identities.

CREATE TABLE accounts (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  uid TEXT NOT NULL,
  email TEXT,
  is_email_verified INTEGER NOT NULL,
  email_verified_at INTEGER, -- when a user last showed that the address is theirs; null: nobody did
  initial_email TEXT, -- the address before its first change
  has_email_link INTEGER NOT NULL,
  phone_number TEXT,
  phone_linked_at INTEGER,
  -- The time of the sign-in behind the old session that linked the number; null: confirmed.
  phone_unconfirmed_since INTEGER,
  display_name TEXT,
  photo_url TEXT,
  -- Which fields an administrator set last: 1 display name, 2 photo URL, 4 phone number.
  assigned_fields INTEGER NOT NULL,
  language TEXT, -- that the app named at the latest sign-in: a BCP 47 tag
  password_parameters TEXT,
  password_salt BLOB,
  password_digest BLOB,
  password_updated_at INTEGER,
  custom_claims TEXT, -- a JSON object
  is_disabled INTEGER NOT NULL,
  is_custom INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  imported_at INTEGER, -- null: created here
  last_login_at INTEGER,
  last_refresh_at INTEGER,
  -- How many rows of passkeys the account has, and how many of them are unconfirmed.
  passkey_count INTEGER NOT NULL,
  unconfirmed_passkeys INTEGER NOT NULL,
  valid_since_seconds INTEGER NOT NULL,
  revoked_at INTEGER, -- when all sessions were last ended
  second_factors BLOB, -- sealed; null: none was ever enrolled
  -- When the account is going to be erased: its user deleted it in a project with a grace period.
  deletion_scheduled_for INTEGER
) STRICT;
CREATE UNIQUE INDEX accounts_by_uid ON accounts (project, uid);
CREATE UNIQUE INDEX accounts_by_email ON accounts (project, email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX accounts_by_phone_number ON accounts (project, phone_number)
  WHERE phone_number IS NOT NULL;
CREATE INDEX accounts_by_deletion ON accounts (deletion_scheduled_for)
  WHERE deletion_scheduled_for IS NOT NULL;
CREATE INDEX accounts_by_second_factors ON accounts (project, uid)
  WHERE second_factors IS NOT NULL;
-- For searches by what few accounts have. None is by a time that sign-ins change.
CREATE INDEX accounts_by_creation ON accounts (project, created_at);
CREATE INDEX accounts_disabled ON accounts (project, uid) WHERE is_disabled = 1;
CREATE INDEX accounts_unverified ON accounts (project, uid)
  WHERE is_email_verified = 0 AND email IS NOT NULL;
CREATE INDEX accounts_with_passkeys ON accounts (project, uid) WHERE passkey_count > 0;
CREATE INDEX accounts_with_claims ON accounts (project, uid) WHERE custom_claims IS NOT NULL;
CREATE INDEX accounts_scheduled ON accounts (project, uid)
  WHERE deletion_scheduled_for IS NOT NULL;

-- The words by which a search finds an account: see SearchedFields.
CREATE TABLE account_terms (
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  term TEXT NOT NULL,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  PRIMARY KEY (account, term)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_terms_by_term ON account_terms (project, term, account);

-- How many accounts a project has, so that asking needn't count them.
CREATE TABLE account_counts (
  project INTEGER NOT NULL PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  accounts INTEGER NOT NULL
) STRICT;
CREATE TRIGGER account_count_of_new_project AFTER INSERT ON projects BEGIN
  INSERT INTO account_counts (project, accounts) VALUES (NEW.key, 0);
END;
CREATE TRIGGER account_count_up AFTER INSERT ON accounts BEGIN
  UPDATE account_counts SET accounts = accounts + 1 WHERE project = NEW.project;
END;
CREATE TRIGGER account_count_down AFTER DELETE ON accounts BEGIN
  UPDATE account_counts SET accounts = accounts - 1 WHERE project = OLD.project;
END;

CREATE TABLE identities (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  issuer TEXT, -- the subject's, where a provider's can be configured; null: the provider has one
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  position INTEGER NOT NULL, -- the order in which the account's were linked
  email TEXT,
  is_private_email INTEGER,
  -- Whether the user stopped mail to the private relay address, and when the provider said so.
  is_forwarding_disabled INTEGER,
  forwarding_changed_at INTEGER,
  display_name TEXT,
  photo_url TEXT,
  screen_name TEXT,
  real_user_status INTEGER, -- Apple's at the first sign-in: 0 unsupported, 1 unknown, 2 likely real
  linked_at INTEGER NOT NULL,
  -- The time of the sign-in behind the old session that linked the identity; null: confirmed.
  unconfirmed_since INTEGER,
  -- When the user withdrew the app's access at the provider, according to the provider.
  consent_revoked_at INTEGER,
  -- When this server was last asked to revoke what the user granted: the provider then reports a
  -- withdrawal that the user didn't make.
  revocation_requested_at INTEGER,
  PRIMARY KEY (project, provider, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identities_by_account ON identities (account, provider);

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
-- Which account an address belongs to that only a provider told of.
CREATE INDEX identities_by_email ON identities (project, email) WHERE email IS NOT NULL;

-- What users agreed to before data was joined to their account.
CREATE TABLE consents (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  given_at INTEGER NOT NULL,
  version TEXT NOT NULL,
  joins TEXT NOT NULL -- a JSON array
) STRICT;
CREATE INDEX consents_by_account ON consents (account);

-- Providers' refresh tokens: see ProviderToken.
CREATE TABLE provider_tokens (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  provider TEXT NOT NULL,
  client_id TEXT NOT NULL, -- empty: unknown
  subject TEXT NOT NULL,
  token BLOB NOT NULL, -- sealed
  code_digest BLOB, -- SHA-256
  obtained_at INTEGER NOT NULL,
  checked_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX provider_tokens_by_account ON provider_tokens (account, provider, client_id);
CREATE INDEX provider_tokens_by_check ON provider_tokens (project, checked_at);
-- The check of refresh tokens goes through all projects.
CREATE INDEX provider_tokens_by_provider ON provider_tokens (provider, checked_at);

-- Signing in.

-- Providers' tokens, nonces and other values that count once.
CREATE TABLE spent_tokens (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  digest BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (project, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_tokens_by_expiry ON spent_tokens (expires_at);

-- Identities that were unlinked or deleted: older pending tokens of them are rejected.
CREATE TABLE detachments (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  detached_at INTEGER NOT NULL,
  kept_until INTEGER NOT NULL,
  PRIMARY KEY (project, provider, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX detachments_by_expiry ON detachments (kept_until);

-- Names that a provider tells once, with an answer that nobody has redeemed yet.
CREATE TABLE arrived_names (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  display_name TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  kept_until INTEGER NOT NULL,
  PRIMARY KEY (project, provider, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX arrived_names_by_expiry ON arrived_names (kept_until);

-- The keys of imported password hashes. Accounts name one in password_parameters.
CREATE TABLE password_keys (
  id TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  password_key BLOB NOT NULL -- sealed
) STRICT, WITHOUT ROWID;
CREATE INDEX password_keys_by_project ON password_keys (project);

-- What rate limits count. Rows are few and short-lived: each failed password costs a hash first, and what
-- is over is swept.
CREATE TABLE attempts (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind TEXT NOT NULL,
  owner BLOB NOT NULL, -- SHA-256 of an email address, a user id or a client's address
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (project, kind, owner)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_end ON attempts (ends_at);

-- Codes that were sent to numbers: see PhoneVerification.
CREATE TABLE phone_verifications (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  digest BLOB NOT NULL, -- SHA-256 of the session's id
  phone_number TEXT NOT NULL,
  code_digest BLOB NOT NULL, -- HMAC-SHA256 of the code under the session's id
  tries INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  session_info BLOB, -- sealed; kept in --dev alone
  code BLOB -- sealed; kept in --dev alone
) STRICT;
CREATE UNIQUE INDEX phone_verifications_by_digest ON phone_verifications (project, digest);
CREATE INDEX phone_verifications_by_expiry ON phone_verifications (expires_at);

-- Where a project's codes for numbers go.
CREATE TABLE code_webhooks (
  project INTEGER NOT NULL PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret BLOB NOT NULL -- sealed
) STRICT;

-- Email.

-- Codes that are sent to an address: see ActionCode.
CREATE TABLE action_codes (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  digest BLOB NOT NULL, -- SHA-256 of the code
  purpose TEXT NOT NULL,
  uid TEXT,
  email TEXT NOT NULL,
  new_email TEXT,
  recipient TEXT NOT NULL, -- one of the two
  verified_at INTEGER, -- of an address that is taken back: when its holder last showed that it is theirs
  -- A code that the user types may come beside the link: see VerificationSession.
  session_digest BLOB, -- SHA-256 of the session's id
  code_digest BLOB, -- HMAC of the six digits under that id
  tries INTEGER NOT NULL,
  is_void INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  link BLOB -- sealed; kept in --dev alone
) STRICT;
CREATE UNIQUE INDEX action_codes_by_digest ON action_codes (project, digest);
CREATE UNIQUE INDEX action_codes_by_session ON action_codes (project, session_digest)
  WHERE session_digest IS NOT NULL;
CREATE INDEX action_codes_by_recipient ON action_codes (project, recipient, purpose, expires_at);
CREATE INDEX action_codes_by_uid ON action_codes (project, uid, purpose, expires_at)
  WHERE uid IS NOT NULL;
CREATE INDEX action_codes_by_expiry ON action_codes (expires_at);

-- Projects' own texts of emails: see EmailTemplate.
CREATE TABLE email_templates (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind TEXT NOT NULL,
  language TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX email_templates_by_kind ON email_templates (project, kind, language);

-- Sessions. They outlive their account as tombstones: they name it by its id. Those beyond an account's
-- limit leave no row, and an unknown session counts as ended.

CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id BLOB NOT NULL,
  uid TEXT NOT NULL,
  provider TEXT NOT NULL,
  sign_in_attributes TEXT, -- a JSON object
  developer_claims TEXT, -- a JSON object: those of the custom token that began the session
  -- On what it began: see SessionDevice.
  user_agent TEXT,
  app TEXT,
  address TEXT,
  device_name TEXT,
  device BLOB,
  second_factor TEXT, -- its method, a colon, and its id
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
CREATE INDEX sessions_live ON sessions (project, uid, device) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_by_revocation ON sessions (ended_at)
  WHERE ended_at IS NOT NULL AND ended_reason <> 'accountDeleted';

CREATE TABLE signing_keys (
  ring TEXT NOT NULL,
  key_id TEXT NOT NULL,
  private_key BLOB NOT NULL, -- sealed
  published_at INTEGER NOT NULL,
  signs_from INTEGER, -- of a key that is published ahead of the schedule; null: as the schedule says
  activated_at INTEGER,
  retired_at INTEGER,
  PRIMARY KEY (ring, key_id)
) STRICT, WITHOUT ROWID;

-- What follows a commit.

-- See OutboxEntry.
CREATE TABLE outbox (
  key INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of execution; never used again
  id TEXT NOT NULL UNIQUE,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  order_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  task BLOB NOT NULL, -- sealed
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  last_error TEXT,
  retried_at INTEGER,
  failed_at INTEGER -- null: live
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at) WHERE failed_at IS NULL;
CREATE INDEX outbox_failed ON outbox (failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX outbox_by_kind ON outbox (kind, failed_at, created_at);
CREATE INDEX outbox_order ON outbox (project, order_key, key);
-- Which entries wait for an earlier one of the same key: those that were given up hold up no other.
CREATE INDEX outbox_live_order ON outbox (project, order_key, key) WHERE failed_at IS NULL;

-- The event log: see Event. Projects are named by their ids; the server's own events have an empty one.
CREATE TABLE waiting_events (
  key INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which events are linked
  id TEXT NOT NULL,
  project TEXT NOT NULL,
  kind TEXT NOT NULL,
  uid TEXT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  details TEXT NOT NULL, -- a JSON object
  source TEXT -- a JSON object; personal data
) STRICT;

CREATE TABLE events (
  position INTEGER PRIMARY KEY, -- the order of all events
  id TEXT NOT NULL,
  project TEXT NOT NULL,
  kind TEXT NOT NULL,
  uid TEXT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  details TEXT NOT NULL,
  source TEXT,
  number INTEGER NOT NULL, -- the place in the project's chain
  digest BLOB NOT NULL,
  salt BLOB,
  source_digest BLOB
) STRICT;
CREATE UNIQUE INDEX events_by_number ON events (project, number);
CREATE INDEX events_by_id ON events (id);
CREATE INDEX events_by_account ON events (project, uid, number) WHERE uid IS NOT NULL;

-- The last link of each chain.
CREATE TABLE event_chains (
  project TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event_checkpoints (
  project TEXT NOT NULL,
  number INTEGER NOT NULL,
  digest BLOB NOT NULL,
  at INTEGER NOT NULL,
  token TEXT NOT NULL, -- a JWT
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

-- By day since 1970, in UTC: see SignInCounts.
CREATE TABLE sign_in_counts (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  method TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project, day, kind, method)
) STRICT, WITHOUT ROWID;

-- Receivers of events: see Hook.
CREATE TABLE hooks (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  kinds TEXT NOT NULL, -- a JSON array
  form TEXT NOT NULL,
  secrets BLOB NOT NULL, -- sealed
  is_enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

-- The server itself.

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

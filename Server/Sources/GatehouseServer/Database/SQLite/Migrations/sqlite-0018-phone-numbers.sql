-- When the number came to the account; null: none, or before this step.
ALTER TABLE accounts ADD COLUMN phone_linked_at INTEGER;
-- The time of the sign-in behind the old session that linked it; null: confirmed.
ALTER TABLE accounts ADD COLUMN phone_unconfirmed_since INTEGER;

-- Codes that were sent to numbers: see GatehouseAccounts, PhoneVerification.
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

-- Where a project's codes go.
CREATE TABLE code_webhooks (
  project INTEGER NOT NULL PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret BLOB NOT NULL -- sealed
) STRICT;

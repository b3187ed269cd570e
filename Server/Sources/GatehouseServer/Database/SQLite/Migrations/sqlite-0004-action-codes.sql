-- Codes that are sent to an address: see GatehouseAccounts, ActionCode.

ALTER TABLE accounts ADD COLUMN has_email_link INTEGER NOT NULL DEFAULT 0;

CREATE TABLE action_codes (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  digest BLOB NOT NULL, -- SHA-256 of the code
  purpose TEXT NOT NULL,
  uid TEXT,
  email TEXT NOT NULL,
  new_email TEXT,
  recipient TEXT NOT NULL, -- one of the two
  is_void INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  link BLOB -- sealed; kept in --dev alone
) STRICT;
CREATE UNIQUE INDEX action_codes_by_digest ON action_codes (project, digest);
CREATE INDEX action_codes_by_recipient ON action_codes (project, recipient, purpose, expires_at);
CREATE INDEX action_codes_by_uid ON action_codes (project, uid, purpose, expires_at)
  WHERE uid IS NOT NULL;
CREATE INDEX action_codes_by_expiry ON action_codes (expires_at);

-- A code that the user types may come beside the link: see GatehouseAccounts, VerificationSession.
ALTER TABLE action_codes ADD COLUMN session_digest BLOB; -- SHA-256 of the session's id
ALTER TABLE action_codes ADD COLUMN code_digest BLOB; -- HMAC of the six digits under that id
ALTER TABLE action_codes ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX action_codes_by_session ON action_codes (project, session_digest)
  WHERE session_digest IS NOT NULL;

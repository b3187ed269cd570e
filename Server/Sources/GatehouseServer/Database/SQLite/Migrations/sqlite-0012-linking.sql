-- When somebody last showed that the account's address is theirs; null: not verified, or verified
-- before this step.
ALTER TABLE accounts ADD COLUMN email_verified_at INTEGER;
-- Which fields an administrator set last: 1 display name, 2 photo URL, 4 phone number.
ALTER TABLE accounts ADD COLUMN assigned_fields INTEGER NOT NULL DEFAULT 0;

-- The issuer of the subject, where a provider's can be configured; null: the provider has one.
ALTER TABLE identities ADD COLUMN issuer TEXT;
UPDATE identities SET issuer = (
    SELECT providers.issuer FROM providers
    WHERE providers.project = identities.project AND providers.id = identities.provider)
  WHERE provider >= 'oidc.' AND provider < 'oidc/';
-- The time of the sign-in behind the old session that linked it; null: confirmed.
ALTER TABLE identities ADD COLUMN unconfirmed_since INTEGER;

-- For a code that takes an address back: when its holder last showed that it is theirs.
ALTER TABLE action_codes ADD COLUMN verified_at INTEGER;

-- Sessions beyond an account's limit leave no row any more: an unknown session counts as ended. Nor
-- do others for long, unless their account was deleted.
DELETE FROM sessions WHERE ended_reason = 'displaced';
CREATE INDEX sessions_by_revocation ON sessions (ended_at)
  WHERE ended_at IS NOT NULL AND ended_reason <> 'accountDeleted';

-- When an account is going to be erased, whose user deleted it in a project with a grace period.
ALTER TABLE accounts ADD COLUMN deletion_scheduled_for INTEGER;
CREATE INDEX accounts_by_deletion ON accounts (deletion_scheduled_for)
  WHERE deletion_scheduled_for IS NOT NULL;

-- When the user withdrew the app's access at the provider, according to the provider.
ALTER TABLE identities ADD COLUMN consent_revoked_at INTEGER;

-- A URL to which a provider's notifications are passed on.
ALTER TABLE providers ADD COLUMN notification_forward_url TEXT;

-- The check of refresh tokens goes through all projects.
CREATE INDEX provider_tokens_by_provider ON provider_tokens (provider, checked_at);

-- Which entries wait for an earlier one of the same key: those that were given up hold up no other.
CREATE INDEX outbox_live_order ON outbox (project, order_key, key) WHERE failed_at IS NULL;

-- Users' changes of subject, because apps move to another team: see GatehouseAccounts, SubjectTransfer.
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

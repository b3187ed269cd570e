-- When this server was last asked to revoke what the user granted: the provider then reports a
-- withdrawal that the user didn't make.
ALTER TABLE identities ADD COLUMN revocation_requested_at INTEGER;
-- Whether the user stopped mail to the private relay address, and when the provider said so.
ALTER TABLE identities ADD COLUMN is_forwarding_disabled INTEGER;
ALTER TABLE identities ADD COLUMN forwarding_changed_at INTEGER;

-- The last notification of each provider, for operators.
CREATE TABLE provider_notifications (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  provider TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project, provider)
) STRICT, WITHOUT ROWID;

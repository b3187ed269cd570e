-- Work that follows from committed transactions: see GatehouseAccounts, OutboxEntry.
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

-- Providers' refresh tokens: see GatehouseAccounts, ProviderToken.
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

-- Whether refresh tokens are kept; null: as is usual for the provider.
ALTER TABLE providers ADD COLUMN keeps_refresh_token INTEGER;

-- A JSON array of parameters' names that apps may set; null: none beyond the usual.
ALTER TABLE providers ADD COLUMN allowed_parameters TEXT;

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

-- The choice of a flow is obeyed from here on. Until now only "code" had a meaning: what was stored
-- beside it was no choice, and must not send anybody's ID tokens through the browser.
UPDATE providers SET returns_id_token = 0;

-- By which way a provider's answers come to the server; null: as the server chooses.
ALTER TABLE providers ADD COLUMN response_mode TEXT;
-- A JSON object from what is mapped to where it is; null: nothing is.
ALTER TABLE providers ADD COLUMN claim_mapping TEXT;

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

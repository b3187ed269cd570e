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

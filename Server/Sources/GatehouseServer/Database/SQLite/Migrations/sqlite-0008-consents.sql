-- What persons agreed to before data was joined to their account.

CREATE TABLE consents (
  key INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  given_at INTEGER NOT NULL,
  version TEXT NOT NULL,
  joins TEXT NOT NULL -- a JSON array
) STRICT;
CREATE INDEX consents_by_account ON consents (account);

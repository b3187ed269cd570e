-- What the brake counts. Rows are few and short-lived: each failed password costs a hash first, and
-- what is over is swept.
CREATE TABLE attempts (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind TEXT NOT NULL,
  owner BLOB NOT NULL, -- SHA-256 of an e-mail address, a user id or a client's address
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (project, kind, owner)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_end ON attempts (ends_at);

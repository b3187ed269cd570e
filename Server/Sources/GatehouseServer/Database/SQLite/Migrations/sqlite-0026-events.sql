-- The event log: see GatehouseAccounts, Event. Projects are named by their ids; the server's own events
-- have an empty one.
CREATE TABLE waiting_events (
  key INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which events are linked
  id TEXT NOT NULL,
  project TEXT NOT NULL,
  kind TEXT NOT NULL,
  uid TEXT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  details TEXT NOT NULL, -- a JSON object
  source TEXT -- a JSON object; personal data
) STRICT;
CREATE TABLE events (
  position INTEGER PRIMARY KEY, -- the order of all events
  id TEXT NOT NULL,
  project TEXT NOT NULL,
  kind TEXT NOT NULL,
  uid TEXT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  details TEXT NOT NULL,
  source TEXT,
  number INTEGER NOT NULL, -- the place in the project's chain
  digest BLOB NOT NULL,
  salt BLOB,
  source_digest BLOB
) STRICT;
CREATE UNIQUE INDEX events_by_number ON events (project, number);
CREATE INDEX events_by_account ON events (project, uid, number) WHERE uid IS NOT NULL;
-- The last link of each chain.
CREATE TABLE event_chains (
  project TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE event_checkpoints (
  project TEXT NOT NULL,
  number INTEGER NOT NULL,
  digest BLOB NOT NULL,
  at INTEGER NOT NULL,
  token TEXT NOT NULL, -- a JWT
  PRIMARY KEY (project, number)
) STRICT, WITHOUT ROWID;

-- On what a session began: see GatehouseAccounts, SessionDevice.
ALTER TABLE sessions ADD COLUMN user_agent TEXT;
ALTER TABLE sessions ADD COLUMN app TEXT;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN device_name TEXT;
ALTER TABLE sessions ADD COLUMN device BLOB;
DROP INDEX sessions_live;
CREATE INDEX sessions_live ON sessions (project, uid, device) WHERE ended_at IS NULL;

-- Receivers of events: see GatehouseAccounts, Hook.
CREATE TABLE hooks (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  kinds TEXT NOT NULL, -- a JSON array
  form TEXT NOT NULL,
  secrets BLOB NOT NULL, -- sealed
  is_enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

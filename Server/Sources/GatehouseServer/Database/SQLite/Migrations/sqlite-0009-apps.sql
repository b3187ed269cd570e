-- A project's apps on Apple's platforms, each with an API key of its own.
CREATE TABLE apps (
  id TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  bundle_id TEXT NOT NULL,
  display_name TEXT,
  api_key TEXT NOT NULL REFERENCES api_keys,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX apps_by_bundle_id ON apps (project, bundle_id);
CREATE UNIQUE INDEX apps_by_api_key ON apps (api_key);

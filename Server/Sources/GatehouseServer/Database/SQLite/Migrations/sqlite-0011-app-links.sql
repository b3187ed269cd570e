-- What Apple and Google are told of a project's apps, so that links of this server open them.
ALTER TABLE apps ADD COLUMN team_id TEXT; -- ten characters; null: that of the project's apple.com

CREATE TABLE android_apps (
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  package_name TEXT NOT NULL,
  display_name TEXT,
  fingerprints TEXT NOT NULL, -- a JSON array
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, package_name)
) STRICT, WITHOUT ROWID;

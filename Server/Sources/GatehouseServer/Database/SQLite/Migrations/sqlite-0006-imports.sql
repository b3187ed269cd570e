-- The keys of imported password hashes. Accounts name one in password_parameters.
CREATE TABLE password_keys (
  id TEXT NOT NULL PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  password_key BLOB NOT NULL -- sealed
) STRICT, WITHOUT ROWID;
CREATE INDEX password_keys_by_project ON password_keys (project);

-- How many accounts a project has, so that asking needn't count them.
CREATE TABLE account_counts (
  project INTEGER NOT NULL PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  accounts INTEGER NOT NULL
) STRICT;
INSERT INTO account_counts (project, accounts)
  SELECT key, (SELECT count(*) FROM accounts WHERE project = projects.key) FROM projects;

CREATE TRIGGER account_count_of_new_project AFTER INSERT ON projects BEGIN
  INSERT INTO account_counts (project, accounts) VALUES (NEW.key, 0);
END;
CREATE TRIGGER account_count_up AFTER INSERT ON accounts BEGIN
  UPDATE account_counts SET accounts = accounts + 1 WHERE project = NEW.project;
END;
CREATE TRIGGER account_count_down AFTER DELETE ON accounts BEGIN
  UPDATE account_counts SET accounts = accounts - 1 WHERE project = OLD.project;
END;

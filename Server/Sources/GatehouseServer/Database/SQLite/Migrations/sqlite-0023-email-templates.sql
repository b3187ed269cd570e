-- Projects' own texts of emails: see GatehouseAccounts, EmailTemplate.
CREATE TABLE email_templates (
  key INTEGER PRIMARY KEY,
  project INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  kind TEXT NOT NULL,
  language TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX email_templates_by_kind ON email_templates (project, kind, language);

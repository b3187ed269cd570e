enum EmailTemplateSQL: String, SQLStatement {
  case ofKind = """
    SELECT language, subject, text, html, updated_at FROM email_templates
    WHERE project = ? AND kind = ? ORDER BY language
    """
  case save = """
    INSERT INTO email_templates (project, kind, language, subject, text, html, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project, kind, language) DO UPDATE SET
      subject = excluded.subject, text = excluded.text, html = excluded.html,
      updated_at = excluded.updated_at
    """
  case delete = "DELETE FROM email_templates WHERE project = ? AND kind = ? AND language = ?"
}

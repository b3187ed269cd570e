package import GatehouseProtocol

extension Transaction {
  /// The project's templates of one kind, in the order of their language tags.
  package func emailTemplates(
    of kind: MailKind, in project: ProjectID
  ) throws -> [EmailTemplate] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      EmailTemplateSQL.ofKind, .integer(key), .text(kind.rawValue)
    ) { row in
      EmailTemplate(
        kind: kind, language: try row.text(0), subject: try row.text(1), text: try row.text(2),
        html: try row.optionalText(3), updatedAt: row.time(4))
    }
  }

  /// Stores the template in place of an earlier one of the same kind and language. Increases
  /// ``Store/changeCounter()``.
  package func save(_ template: EmailTemplate, in project: ProjectID) throws {
    try changeEmailTemplate(of: template.kind, language: template.language, in: project) {
      try connection.run(
        EmailTemplateSQL.save, .integer(try existingKey(of: project)),
        .text(template.kind.rawValue), .text(template.language), .text(template.subject),
        .text(template.text), .optional(template.html), .time(template.updatedAt))
    }
  }

  /// Increases ``Store/changeCounter()``.
  ///
  /// - Returns: False if there was none.
  package func deleteEmailTemplate(
    of kind: MailKind, language: String, in project: ProjectID
  ) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try changeEmailTemplate(of: kind, language: language, in: project) {
      try connection.change(
        EmailTemplateSQL.delete, .integer(key), .text(kind.rawValue), .text(language)) > 0
    }
  }

  private func changeEmailTemplate<Value>(
    of kind: MailKind, language: String, in project: ProjectID, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("email template", "\(kind.rawValue) \(language)"), in: project,
      reading: {
        try emailTemplates(of: kind, in: project).first {
          $0.language.hasSameBytes(as: language)
        }
      }, change)
  }
}

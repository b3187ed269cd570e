package import GatehouseModel

/// Projects' own texts of emails.
package protocol EmailTemplateRecords {
  /// The project's templates of one kind, in the order of their language tags.
  func emailTemplates(
    of kind: MailTask.Kind, in project: ProjectID
  ) throws -> [EmailTemplate]
  /// Stores the template in place of an earlier one of the same kind and language. Increases
  /// ``Store/changeCounter()``.
  func save(_ template: EmailTemplate, in project: ProjectID) throws
  /// Increases ``Store/changeCounter()``.
  ///
  /// - Returns: False if there was none.
  func deleteEmailTemplate(
    of kind: MailTask.Kind, language: String, in project: ProjectID
  ) throws -> Bool
}

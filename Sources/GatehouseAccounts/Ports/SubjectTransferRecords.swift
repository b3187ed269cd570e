package import GatehouseModel

/// Users' changes of subject: see ``SubjectTransfer``.
package protocol SubjectTransferRecords {
  /// Stores the transfer, in place of an earlier one of the same old subject.
  func save(_ transfer: SubjectTransfer, in project: ProjectID) throws

  func subjectTransfer(
    of provider: ProviderID, transferSubject: Subject, in project: ProjectID
  ) throws -> SubjectTransfer?

  func subjectTransfer(
    of provider: ProviderID, oldSubject: Subject, in project: ProjectID
  ) throws -> SubjectTransfer?

  /// Whether a transfer gave an identity this subject.
  func isNewSubject(
    _ subject: Subject, of provider: ProviderID, in project: ProjectID
  ) throws -> Bool

  /// At most `limit` transfers that aren't completed, in the order of their old subjects, after
  /// `subject`.
  func openSubjectTransfers(
    of provider: ProviderID, after subject: Subject?, limit: Int, in project: ProjectID
  ) throws -> [SubjectTransfer]

  func countSubjectTransfers(
    of provider: ProviderID, in project: ProjectID
  ) throws -> SubjectTransferCounts

  /// At most `limit` subjects of the provider's identities, in their order, after `subject`.
  func subjects(
    of provider: ProviderID, after subject: Subject?, limit: Int, in project: ProjectID
  ) throws -> [Subject]
}

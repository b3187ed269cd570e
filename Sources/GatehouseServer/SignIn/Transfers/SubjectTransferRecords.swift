package import GatehouseModel

package import struct Foundation.Date

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

  /// Whether a transfer to the team gave an identity this subject.
  func isNewSubject(
    _ subject: Subject, of provider: ProviderID, team: String, in project: ProjectID
  ) throws -> Bool

  /// Whether there is a transfer that was prepared after `date` and isn't completed.
  func hasOpenSubjectTransfer(
    of provider: ProviderID, preparedAfter date: Date, in project: ProjectID
  ) throws -> Bool

  /// Deletes every transfer from or to the subject.
  func deleteSubjectTransfers(
    of provider: ProviderID, subject: Subject, in project: ProjectID) throws

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

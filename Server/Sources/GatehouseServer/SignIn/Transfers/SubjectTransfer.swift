package import GatehouseProtocol

package import struct Foundation.Date
package import struct Foundation.TimeInterval

/// One user's change of subject at Apple, because the apps move to another team.
///
/// Subjects are scoped to a team. The old team gets a transfer identifier for each of its subjects.
/// The new team exchanges this identifier for the user's new subject, up to 60 days after the transfer.
/// Source: Apple, "Transferring your apps and users to another team", TN3159.
package struct SubjectTransfer: Hashable, Sendable {
  package let provider: ProviderID
  /// The subject in the old team.
  package let oldSubject: Subject
  /// `transfer_sub`.
  package let transferSubject: Subject
  /// The team to which the apps move.
  package let team: String
  package let preparedAt: Date
  /// The subject in the new team; nil until it is known.
  package var newSubject: Subject?
  /// When the identity got its new subject, or was found not to exist any more.
  package var completedAt: Date?

  /// How long a transfer may take. Seconds: 90 days. The preparation comes before the move, and Apple
  /// exchanges the identifiers for 60 days after it.
  package static let maximumSeconds: TimeInterval = 90 * 86_400

  package init(
    provider: ProviderID, oldSubject: Subject, transferSubject: Subject, team: String,
    preparedAt: Date
  ) {
    self.provider = provider
    self.oldSubject = oldSubject
    self.transferSubject = transferSubject
    self.team = team
    self.preparedAt = preparedAt
  }
}

/// How many subject transfers of a project there are.
package struct SubjectTransferCounts: Hashable, Sendable {
  /// All transfers, the completed ones included.
  package var prepared = 0
  package var completed = 0

  package init() {}
}

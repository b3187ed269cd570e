package import GatehouseProtocol

package import struct Foundation.Date

/// The operator's jobs for apps that move to another team at Apple: see ``SubjectTransfer``.
///
/// Each result is stored before the next request, so an interrupted job continues where it stopped.
/// Users can sign in while a job runs.
package struct TeamTransfer: Sendable {
  /// The subject and address of a user in the new team.
  package struct Migrated: Sendable {
    package let subject: Subject
    package let email: AssertedEmail?

    package init(subject: Subject, email: AssertedEmail?) {
      self.subject = subject
      self.email = email
    }
  }

  /// The results of a job.
  package struct Progress: Hashable, Sendable {
    package var done = 0
    /// The number of users that the provider doesn't know, or no longer knows.
    package var unknown = 0
    /// The number of transfers whose identity doesn't exist any more.
    package var gone = 0
    /// The old subjects whose new subject another account has: see ``SubjectTransferOutcome/taken``.
    package var taken: [Subject] = []

    package init() {}
  }

  private static let pageSize = 100

  private let store: any Store
  private let project: ProjectID
  private let clock: @Sendable () -> Date

  package init(
    store: any Store, project: ProjectID, clock: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.project = project
    self.clock = clock
  }

  /// Stores the transfer identifier of every identity that has none yet for the team.
  ///
  /// - Parameter identify: Asks the provider for a subject's transfer identifier. Returns nil if the
  ///   provider doesn't know the subject. An error ends the job.
  package func prepare(
    forTeam team: String, report: (Progress) -> Void = { _ in },
    identify: (Subject) async throws -> Subject?
  ) async throws -> Progress {
    var progress = Progress()
    var last: Subject?
    repeat {
      let page = try await store.read { [project, last] in
        try $0.subjects(of: .apple, after: last, limit: Self.pageSize, in: project)
      }
      for subject in page {
        let known = try await store.read { [project] in
          try $0.subjectTransfer(of: .apple, oldSubject: subject, in: project)
        }
        guard known?.team.utf8.elementsEqual(team.utf8) != true,
          try await !isNew(subject, forTeam: team)
        else { continue }
        if let transferSubject = try await identify(subject) {
          let transfer = SubjectTransfer(
            provider: .apple, oldSubject: subject, transferSubject: transferSubject, team: team,
            preparedAt: clock())
          let isStored = try await store.write { [project] transaction in
            // The account may have been erased while the provider was asked: then nothing of it is stored.
            guard try transaction.account(provider: .apple, subject: subject, in: project) != nil
            else { return false }
            try transaction.save(transfer, in: project)
            return true
          }
          if isStored { progress.done += 1 }
        } else {
          progress.unknown += 1
        }
      }
      report(progress)
      last = page.last
    } while last != nil
    return progress
  }

  /// Whether a transfer to the team gave a user this subject.
  private func isNew(_ subject: Subject, forTeam team: String) async throws -> Bool {
    try await store.read { [project] in
      try $0.isNewSubject(subject, of: .apple, team: team, in: project)
    }
  }

  /// Gives every identity with a transfer identifier its new subject. Identities whose users signed in
  /// since the transfer have their new subjects already.
  ///
  /// - Parameter migrate: Asks the provider for the user in the new team. Returns nil if the provider
  ///   doesn't know the transfer identifier. An error ends the job.
  package func complete(
    report: (Progress) -> Void = { _ in },
    migrate: (Subject) async throws -> Migrated?
  ) async throws -> Progress {
    var progress = Progress()
    var last: Subject?
    repeat {
      let page = try await store.read { [project, last] in
        try $0.openSubjectTransfers(of: .apple, after: last, limit: Self.pageSize, in: project)
      }
      for transfer in page {
        guard let migrated = try await migrate(transfer.transferSubject) else {
          progress.unknown += 1
          continue
        }
        let now = clock()
        let outcome = try await store.write { [project] transaction in
          try transaction.complete(
            transfer, to: migrated.subject, email: migrated.email, in: project, now: now)
        }
        switch outcome {
        case .moved: progress.done += 1
        case .gone: progress.gone += 1
        case .taken: progress.taken.append(transfer.oldSubject)
        }
      }
      report(progress)
      last = page.last?.oldSubject
    } while last != nil
    return progress
  }
}

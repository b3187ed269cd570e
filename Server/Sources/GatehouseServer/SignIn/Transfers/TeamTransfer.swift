package import GatehouseProtocol

package import struct Foundation.Date

/// The operator's jobs for apps that move to another team at Apple: see ``SubjectTransfer``.
///
/// A call does a part of the job: at most `pageSize` identities, and no new one after `maximumSeconds`. Each result is
/// stored before the next request, so an interrupted job continues where it stopped. Users can sign in while a job runs.
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

  /// The results of a call.
  package struct Progress: Hashable, Sendable {
    package var done = 0
    /// The number of users that the provider doesn't know, or no longer knows.
    package var unknown = 0
    /// The number of transfers whose identity doesn't exist any more.
    package var gone = 0
    /// The old subjects whose new subject another account has: see ``SubjectTransferOutcome/taken``.
    package var taken: [Subject] = []
    /// The next call continues after this subject. Nil at the end of the job.
    package var next: Subject?

    package init() {}
  }

  private static let pageSize = 100
  private static let maximumSeconds = 10.0

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

  /// Stores the transfer identifier of identities that have none yet for the team.
  ///
  /// - Parameter identify: Asks the provider for a subject's transfer identifier. Returns nil if the
  ///   provider doesn't know the subject.
  /// - Throws: The error of `identify`, if it is the first. Otherwise the call ends, and the next one gets it.
  package func prepare(
    forTeam team: String, after start: Subject? = nil,
    identify: (Subject) async throws -> Subject?
  ) async throws -> Progress {
    let page = try await store.read { [project] in
      try $0.subjects(of: .apple, after: start, limit: Self.pageSize, in: project)
    }
    return try await each(page, \.self) { subject, progress in
      let isPrepared = try await store.read { [project] in
        try $0.subjectTransfer(of: .apple, oldSubject: subject, in: project)?.team
          .hasSameBytes(as: team) == true
          // Or a transfer to the team gave a user this subject.
          || $0.isNewSubject(subject, of: .apple, team: team, in: project)
      }
      guard !isPrepared else { return }
      guard let transferSubject = try await identify(subject) else {
        progress.unknown += 1
        return
      }
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
    }
  }

  /// Gives identities with a transfer identifier their new subjects. Identities whose users signed in
  /// since the transfer have their new subjects already.
  ///
  /// - Parameter migrate: Asks the provider for the user in the new team. Returns nil if the provider
  ///   doesn't know the transfer identifier.
  /// - Throws: As ``prepare(forTeam:after:identify:)``.
  package func complete(
    after start: Subject? = nil, migrate: (Subject) async throws -> Migrated?
  ) async throws -> Progress {
    let page = try await store.read { [project] in
      try $0.openSubjectTransfers(of: .apple, after: start, limit: Self.pageSize, in: project)
    }
    return try await each(page, \.oldSubject) { transfer, progress in
      guard let migrated = try await migrate(transfer.transferSubject) else {
        progress.unknown += 1
        return
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
  }

  private func each<Element>(
    _ page: [Element], _ subject: (Element) -> Subject,
    _ body: (Element, inout Progress) async throws -> Void
  ) async throws -> Progress {
    var progress = Progress()
    let end = clock().addingTimeInterval(Self.maximumSeconds)
    for element in page {
      do {
        try await body(element, &progress)
      } catch {
        if progress.next == nil { throw error }
        return progress
      }
      progress.next = subject(element)
      if clock() > end { return progress }
    }
    if page.count < Self.pageSize { progress.next = nil }
    return progress
  }
}

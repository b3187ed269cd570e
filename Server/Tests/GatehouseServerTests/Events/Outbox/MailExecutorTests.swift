import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct MailExecutorTests {
  @Test func `an email is sent once, in the project's name and the request's language`()
    async throws
  {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.queueMail()
      #expect(try await world.worker(mailer: mailer).executeDue() == 1)
      let order = try #require(mailer.orders.first)
      #expect(order.task.recipient.text == "ann@example.com")
      #expect(order.task.languages == ["de"])
      #expect(order.task.code?.link.reveal() == "https://auth.example.com/?oobCode=c0de")
      #expect(order.project.id == world.project)
      #expect(try await world.entries().isEmpty)
      #expect(try await world.worker(mailer: mailer).executeDue() == 0)
      #expect(mailer.orders.count == 1)
    }
  }

  @Test func `an email for a code that can't be used isn't sent`() async throws {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.queueMail(isVoid: true)
      #expect(try await world.worker(mailer: mailer).executeDue() == 1)
      #expect(mailer.orders.isEmpty)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test(arguments: [true, nil])
  func `an email isn't sent if its code was replaced or used while it waited`(_ isVoid: Bool?)
    async throws
  {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.queueMail(codeIsVoid: isVoid)
      #expect(try await world.worker(mailer: mailer).executeDue() == 1)
      #expect(mailer.orders.isEmpty)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `an email isn't sent if its account gave up the address while it waited`() async throws
  {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.queueMail()
      let (project, ann) = (world.project, try #require(UID("ann")))
      try await world.store.write { transaction in
        try transaction.releaseActionCodes(of: ann, for: .passwordReset, in: project)
      }
      #expect(try await world.worker(mailer: mailer).executeDue() == 1)
      #expect(mailer.orders.isEmpty)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `an email isn't sent after its code has expired`() async throws {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.queueMail()
      world.advance(3600)
      #expect(try await world.worker(mailer: mailer).executeDue() == 1)
      #expect(mailer.orders.isEmpty)
      let entry = try #require(try await world.entries().first)
      #expect(entry.lastError == "the email expired before it could be sent")
      #expect(entry.failedAt == world.now)
    }
  }

  @Test func `an email that the server can't take now is repeated as the same email`() async throws
  {
    try await withOutbox { world in
      let mailer = RecordingMailer([.retry("450 try later"), .sent])
      try await world.queueMail()
      _ = try await world.worker(mailer: mailer).executeDue()
      #expect(try await world.entries().first?.lastError == "450 try later")
      world.advance(10)
      _ = try await world.worker(mailer: mailer).executeDue()
      #expect(Set(mailer.orders.map(\.id)).count == 1)
      #expect(mailer.orders.count == 2)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `an email that the server refuses for good is kept as failed`() async throws {
    try await withOutbox { world in
      let mailer = RecordingMailer([.failed("550 no such user")])
      try await world.queueMail()
      _ = try await world.worker(mailer: mailer).executeDue()
      #expect(try await world.entries().first?.failedAt == world.now)
      world.advance(1000)
      #expect(try await world.worker(mailer: mailer).executeDue() == 0)
    }
  }

  @Test(arguments: [true, false])
  func `a relay address whose user stopped mail gets none`(_ isStopped: Bool) async throws {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.saveAnn { account, identity in
        identity.email = account.email
        identity.isForwardingDisabled = isStopped
      }
      try await world.queueMail()
      _ = try await world.worker(mailer: mailer).executeDue()
      #expect(mailer.orders.count == (isStopped ? 0 : 1))
      #expect(
        try await world.entries().first?.lastError
          == (isStopped ? "the user stopped mail to this relay address" : nil))
    }
  }

  @Test(arguments: [true, false])
  func `only an address that was verified is greeted by the account's name`(_ isVerified: Bool)
    async throws
  {
    try await withOutbox { world in
      let mailer = RecordingMailer()
      try await world.saveAnn { account, _ in
        account.displayName = "Ann"
        account.isEmailVerified = isVerified
      }
      try await world.queueMail()
      _ = try await world.worker(mailer: mailer).executeDue()
      #expect(mailer.orders.first?.displayName == (isVerified ? "Ann" : nil))
    }
  }

  @Test func `without a mail server an email waits`() async throws {
    try await withOutbox { world in
      try await world.queueMail()
      _ = try await world.worker().executeDue()
      let entry = try #require(try await world.entries().first)
      #expect(entry.lastError == "no mail server is configured")
      #expect(entry.failedAt == nil)
    }
  }
}

/// Keeps the orders, and answers with the results in turn, then that they were sent.
private final class RecordingMailer: Mailer {
  private let state: Mutex<(orders: [MailOrder], results: [MailResult])>

  init(_ results: [MailResult] = []) { state = Mutex(([], results)) }

  var orders: [MailOrder] { state.withLock { $0.orders } }

  func send(_ order: MailOrder) async -> MailResult {
    state.withLock { state in
      state.orders.append(order)
      return state.results.isEmpty ? .sent : state.results.removeFirst()
    }
  }
}

extension OutboxWorld {
  /// - Parameter codeIsVoid: Nil: the code doesn't exist any more.
  fileprivate func queueMail(isVoid: Bool = false, codeIsVoid: Bool? = false) async throws {
    try await queue(Self.mail(isVoid: isVoid))
    guard let codeIsVoid else { return }
    let code = ActionCode(
      digest: Self.codeDigest, purpose: .passwordReset, uid: UID("ann"),
      email: try #require(EmailAddress("ann@example.com")), isVoid: codeIsVoid, createdAt: now,
      expiresAt: now.addingTimeInterval(3600))
    let project = project
    try await store.write { try $0.insert(code, in: project) }
  }

  /// The account of `ann@example.com`, with an identity at Apple.
  fileprivate func saveAnn(
    _ change: (inout Account, inout LinkedIdentity) -> Void
  ) async throws {
    let uid = try #require(UID("ann"))
    var account = Account(uid: uid, createdAt: now)
    account.email = EmailAddress("ann@example.com")
    var identity = LinkedIdentity(
      provider: .apple, subject: try #require(Subject("ann")), linkedAt: now)
    change(&account, &identity)
    account.identities = [identity]
    let (saved, project) = (account, project)
    try await store.write { try $0.save(saved, in: project) }
  }
}

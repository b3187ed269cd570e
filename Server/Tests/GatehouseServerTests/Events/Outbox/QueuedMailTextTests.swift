import Foundation
import GatehouseProtocol
import Synchronization
import Testing

@testable import GatehouseServer

/// The server's own texts for the emails that the use cases queue.
@Suite struct QueuedMailTextTests {
  @Test func `no text of the server leaves a place empty in an email that a use case queues`()
    async throws
  {
    try await withOutbox { world in
      let orders = try await Self.orders(world)
      #expect(Set(orders.map(\.task.kind)) == Set(MailKind.allCases))
      for order in orders {
        for language in MailTemplates.builtInLanguages {
          #expect(
            try Self.emptyPlaces(order, language, now: world.now).isEmpty,
            "\(order.task.kind) in \(language.text)")
        }
      }
    }
  }

  @Test(arguments: MailTemplates.builtInLanguages)
  func `a recovery names the new address, or says that there is none`(
    _ language: MailLanguage
  ) async throws {
    try await withOutbox { world in
      let recoveries = try await Self.orders(world).filter { $0.task.kind == .recoverEmail }
      let texts = try recoveries.map {
        try Self.message($0, language, [], now: world.now).content.reveal().text
      }
      #expect(texts.count == 2)
      let changed = try #require(texts.first)
      #expect(changed.contains("ann@example.com"))
      #expect(changed.contains("new@example.com"))
      let removed = try #require(texts.last)
      #expect(removed.contains("new@example.com"))
      let word = ["en": "was removed", "de": "entfernt", "vi": "xóa khỏi"]
      let said = try #require(word[language.text])
      #expect(removed.contains(said))
      #expect(!changed.contains(said))
    }
  }

  /// The values that the server's text needs, and that the email doesn't have.
  private static func emptyPlaces(
    _ order: MailOrder, _ language: MailLanguage, now: Date
  ) throws -> [String] {
    let kind = order.task.kind
    let names = needed(
      by: try MailTemplates().template(for: kind, languages: [language.text]).template)
    // A text of the same values, in which an empty one is visible.
    let own = EmailTemplate(
      kind: order.task.kind, language: language.text, subject: "Values",
      text: names.map { "[\($0)={{\($0)}}]" }.joined(), html: nil, updatedAt: now)
    let text = try message(order, language, [own], now: now).content.reveal().text
    for name in names { #expect(text.contains("[\(name)=")) }
    return names.filter { text.contains("[\($0)=]") }
  }

  /// The values that a text contains, except in a section for the case that there is such a value.
  private static func needed(by template: MailTemplate) -> [String] {
    var names: Set<String> = []
    for text in [template.subject, template.text, template.html ?? ""] {
      let section = #/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}/#.dotMatchesNewlines()
      let rest = text.replacing(section) { match in
        String(match.output.2).replacing("{{\(match.output.1)}}", with: "")
      }
      for match in rest.matches(of: #/\{\{(\w+)\}\}/#) { names.insert(String(match.output.1)) }
    }
    return names.sorted()
  }

  private static func message(
    _ order: MailOrder, _ language: MailLanguage, _ templates: [EmailTemplate], now: Date
  ) throws -> MailMessage {
    var project = order.project
    project.policies.email.language = language.text
    let writer = MailWriter(
      from: try Mailbox(address: "noreply@example.com"), templates: try MailTemplates())
    return try writer.message(
      for: MailOrder(
        id: order.id, task: order.task, project: project, templates: templates,
        displayName: order.displayName, providerName: order.providerName),
      now: now)
  }

  /// The emails of every kind, as the worker gives them to a mailer. The first recovery is that of a
  /// changed address, the second that of a removed one.
  private static func orders(_ world: OutboxWorld) async throws -> [MailOrder] {
    let users = try await Users(world)
    var ann = try await users.verified("ann@example.com")
    try await users.ask(.passwordReset(try #require(EmailAddress("ann@example.com"))))
    try await users.ask(.emailSignIn(try #require(EmailAddress("ann@example.com"))))
    ann = try await users.link(.google, to: ann)
    ann = try await users.addAndRemovePasskey(ann)
    ann = try await users.useSecondFactor(ann, "ann@example.com")
    let change = try await users.ask(
      .emailChange(of: .idToken(ann), to: try #require(EmailAddress("new@example.com"))))
    try await users.apply(change)
    ann = try await users.signIn("new@example.com")
    ann = try await users.update(ann) { $0.password = .set(Secret("another-one")) }
    _ = try await users.update(ann) { $0.email = .remove }
    try await users.delete(try await users.verified("bob@example.com"))
    return users.mailer.orders
  }
}

/// Users of a server that sends mail, with the use cases behind their requests.
private struct Users {
  private static let link = CodeLink { _, code, _ in code }

  let mailer = KeptOrders()
  private let world: OutboxWorld
  private let project: Project
  private let accounts: AccountsService

  init(_ world: OutboxWorld) async throws {
    self.world = world
    let id = world.project
    var project = try #require(try await world.store.read { try $0.project(id) })
    project.policies = .development
    project.policies.deletionGraceDays = 30
    let changed = project
    try await world.store.write { try $0.save(changed) }
    self.project = changed
    let master = try #require(MasterKey.random()).key
    accounts = AccountsService(
      store: world.store,
      sessions: SessionIssuer(
        idTokenKeys: world.eventKeys, cookieKeys: world.eventKeys,
        refreshTokens: RefreshTokenCodec(master)),
      pendingTokens: PendingTokenCodec(master), nonces: NonceCodec(master),
      browserSignIns: BrowserSignInCodec(master),
      passwords: ScryptHasher(.development, threads: 1),
      actionCodes: ActionCodeIssuer(sendsMail: true))
  }

  /// Sends what is queued. A code that is used before its email is sent has no email.
  private func send() async throws {
    _ = try await world.worker(mailer: mailer).executeDue()
    world.advance(1)
  }

  /// - Returns: The code in the email.
  @discardableResult
  func ask(_ request: ActionCodeRequest) async throws -> String {
    _ = try await accounts.requestActionCode(
      request, handling: .deliver, from: .unknown, link: Self.link, in: project, now: world.now)
    try await send()
    return try #require(mailer.orders.last?.task.code).link.reveal()
  }

  /// - Returns: The same ID token.
  func addAndRemovePasskey(_ idToken: String) async throws -> String {
    let key = Authenticator()
    let options = try await accounts.startPasskeyEnrollment(
      by: .session(idToken: idToken), in: project, now: world.now)
    let (result, _) = try await accounts.finish(
      PasskeyEnrollment(
        credentialID: key.credentialID,
        clientDataJSON: Authenticator.clientData(
          "webauthn.create", options.challenge, origin: "http://localhost"),
        attestationObject: key.attestationObject(relyingPartyID: options.relyingPartyID)),
      by: .session(idToken: idToken), in: project, now: world.now)
    try await send()
    var changes = ProfileChanges()
    changes.removedPasskeys = [key.credentialID]
    _ = try await accounts.update(
      idToken: try result.signedIn().tokens.idToken, with: changes, from: .unknown, in: project,
      now: world.now)
    try await send()
    return idToken
  }

  /// Enrolls an authenticator app, signs in with a recovery code, replaces the codes and removes the app.
  ///
  /// - Returns: The ID token of the session that remains.
  func useSecondFactor(_ idToken: String, _ address: String) async throws -> String {
    let user = EnrollingUser.session(idToken: idToken)
    let account = try await accounts.mayEnroll(.totp, by: user, in: project, now: world.now)
    let begun = try accounts.beginTOTP(of: account, in: project, now: world.now)
    let enrolled = try await accounts.enroll(
      .totp(
        id: begun.sessionInfo,
        code: Secret(begun.totp.code(at: TOTP.step(at: world.now)))),
      name: nil, by: user, from: .unknown, in: project, now: world.now)
    try await send()
    let demand = try await accounts.signIn(
      email: try #require(EmailAddress(address)), password: Secret("notasecret"), from: .unknown,
      in: project, now: world.now
    ).demand()
    let signedIn = try await accounts.signIn(
      pendingCredential: demand.pendingCredential, with: .recoveryCode(enrolled.recoveryCodes[0]),
      from: .unknown, in: project, now: world.now)
    try await send()
    _ = try await accounts.createRecoveryCodes(
      idToken: signedIn.tokens.idToken, in: project, now: world.now)
    try await send()
    let left = try await accounts.withdrawSecondFactor(
      enrolled.factor.id, idToken: signedIn.tokens.idToken, in: project, now: world.now)
    try await send()
    return left.tokens.idToken
  }

  func apply(_ code: String) async throws {
    _ = try await accounts.applyActionCode(
      code, from: .unknown, link: Self.link, in: project, now: world.now)
    try await send()
  }

  /// A new account with a verified address.
  ///
  /// - Returns: Its ID token, as the functions below do.
  func verified(_ address: String) async throws -> String {
    let idToken = try await accounts.signUp(
      email: try #require(EmailAddress(address)), password: Secret("notasecret"),
      displayName: nil, from: .unknown, in: project, now: world.now
    ).signedIn().tokens.idToken
    try await apply(try await ask(.emailVerification(of: .idToken(idToken))))
    return idToken
  }

  func signIn(_ address: String) async throws -> String {
    try await accounts.signIn(
      email: try #require(EmailAddress(address)), password: Secret("notasecret"), from: .unknown,
      in: project, now: world.now
    ).signedIn().tokens.idToken
  }

  func link(_ provider: ProviderID, to idToken: String) async throws -> String {
    let facts = try accounts.facts(ofIDToken: idToken, in: project, now: world.now)
    let nonce = try accounts.accept(
      nonce: nil, sessionID: nil, linking: facts, in: project, now: world.now)
    let identity = ExternalIdentity(
      provider: provider, subject: try #require(Subject("another-ann")))
    let result = try await accounts.signIn(
      IdentitySignIn(
        identity, .verified(nonce), in: project, now: world.now, from: .unknown, linking: facts))
    try await send()
    return try result.signedIn().tokens.idToken
  }

  func update(
    _ idToken: String, _ change: (inout ProfileChanges) -> Void
  ) async throws -> String {
    var changes = ProfileChanges()
    change(&changes)
    let (_, tokens) = try await accounts.update(
      idToken: idToken, with: changes, from: .unknown, link: Self.link, in: project,
      now: world.now)
    try await send()
    return try #require(tokens).idToken
  }

  /// Schedules the deletion of an account, and lets the time until then pass.
  func delete(_ idToken: String) async throws {
    _ = try await accounts.delete(idToken: idToken, in: project, now: world.now)
    try await send()
    world.advance(30 * 86_400)
    _ = try await AccountsService.eraseScheduledAccounts(
      in: world.store, limit: 10, sendsMail: true, now: world.now)
    try await send()
  }
}

private final class KeptOrders: Mailer {
  private let kept = Mutex<[MailOrder]>([])

  var orders: [MailOrder] { kept.withLock { $0 } }

  func send(_ order: MailOrder) async -> MailResult {
    kept.withLock { $0.append(order) }
    return .sent
  }
}

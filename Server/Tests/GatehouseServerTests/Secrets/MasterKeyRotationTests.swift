import Foundation
@testable import GatehouseServer
import GatehouseProtocol
import Synchronization
import TestStores
import Testing

@Suite struct MasterKeyRotationTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let old: MasterKey
  private let new: MasterKey
  private let project: ProjectID

  init() throws {
    old = try #require(MasterKey([UInt8](repeating: 7, count: 32)))
    new = try #require(MasterKey([UInt8](repeating: 8, count: 32)))
    project = try #require(ProjectID("test-project"))
  }

  /// A new database under the old key, with a secret of every kind.
  private func withSecrets(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-rotation-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let old = old
    let functionSecret = try #require(WebhookSecret(Secret(Self.functionSecret)))
    var withFunction = try World.project(project.text, policies: ProjectPolicies())
    withFunction.blockingFunctions.beforeSignIn = BlockingFunction(
      url: "https://functions.example.com", onFailure: .refuse, secrets: [functionSecret],
      updatedAt: Self.now)
    let project = withFunction
    var apple = ProviderConfiguration(id: .apple, clientID: "web", trustEmail: .always)
    apple.apple = .init(bundleIDs: [], privateKey: Secret("a private key"))
    var google = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .always)
    google.clientSecret = Secret("a client secret")
    var corp = ProviderConfiguration(
      id: try #require(ProviderID("oidc.corp")), clientID: "client", trustEmail: .never)
    corp.clientKey = ClientKey(privateKey: Secret("a client's key"))
    corp.clients = [
      ProviderClient(clientID: "tablet", secret: Secret("a tablet's secret"), bundleIDs: [])
    ]
    let providers = [apple, google, corp]
    var ann = Account(uid: try uid("ann"), createdAt: Self.now)
    var factors = SecondFactors()
    factors.factors = [
      SecondFactor(id: "a second factor", enrolledAt: Self.now, kind: .totp(.random()))
    ]
    ann.secondFactors = factors
    let account = ann
    let token = ProviderToken(
      uid: ann.uid, provider: .apple, clientID: "web", subject: try subject("apple-ann"),
      token: Secret("Apple's refresh token"), codeDigest: nil, obtainedAt: Self.now)
    let task = """
      {"kind":"revoke","provider":"apple.com","subject":"s","token":"a queued token",
      "tokenKind":"refresh_token"}
      """
    let entry = OutboxEntry(
      project: project.id, task: try #require(OutboxTask(stored: Array(task.utf8))),
      orderKey: "ann", createdAt: Self.now)
    let webhookSecret = try #require(WebhookSecret(Secret(Self.webhookSecret)))
    let hookSecret = try #require(WebhookSecret(Secret(Self.hookSecret)))
    try await with([old], folder) { store, _ in
      try await store.write { transaction in
        try MasterKeyRotation.stamp(transaction, with: old)
        try transaction.save(project)
        for provider in providers { try transaction.save(provider, in: project.id) }
        try transaction.save(
          PasswordKey(id: "imported", project: project.id, key: Secret([4, 5, 6])))
        try transaction.save(
          CodeWebhook(url: "https://sms.example.com/", secret: webhookSecret), of: project.id)
        try transaction.save(account, in: project.id)
        try transaction.save(token, in: project.id)
        try transaction.save(
          Hook(url: "https://api.example.com", secrets: [hookSecret], createdAt: Self.now),
          of: project.id)
        try transaction.enqueue(entry)
        for ring in SigningKeyRecord.Ring.allCases {
          try transaction.save(
            SigningKeyRecord(
              keyID: "k", ring: ring, privateKey: Secret([1, 2, 3]), publishedAt: Self.now))
        }
      }
    }
    try await body(folder)
  }

  /// Opens the database with these keys, as a process does when it starts.
  private func with<Result>(
    _ keys: [MasterKey], _ folder: URL,
    _ body: (any Store, MasterKeyRing) async throws -> Result
  ) async throws -> Result {
    let ring = try #require(MasterKeyRing(keys))
    let store = try TestStore.open(at: folder, sealing: SecretBox(ring))
    do {
      let result = try await body(store, ring)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }

  /// Reads every secret with these keys.
  private func secrets(_ keys: [MasterKey], _ folder: URL) async throws -> [String] {
    let project = project
    return try await with(keys, folder) { store, ring in
      guard try await MasterKeyRotation.select(in: ring, store: store) else {
        throw StoreError.damaged("another master key")
      }
      return try await store.read { transaction in
        let providers = try transaction.providers(in: project)
        let keys = try SigningKeyRecord.Ring.allCases.flatMap { ring in
          try transaction.signingKeys(of: ring).map { "\($0.privateKey.reveal())" }
        }
        let passwordKeys = try transaction.passwordKeys(of: project)
        let webhook = try transaction.codeWebhook(of: project)
        let hooks = try transaction.hooks(of: project)
        let functions =
          try transaction.project(project)?.blockingFunctions.beforeSignIn?.secrets ?? []
        let providerTokens = try transaction.providerTokenPage(after: nil, limit: 9, in: project)
          .tokens
        let factors = try transaction.accountsWithSecondFactors(after: nil, limit: 9, in: project)
          .flatMap { $0.secondFactors?.factors ?? [] }
        let queued = try transaction.outboxPage(after: nil, limit: 9).entries
        return try passwordKeys.map { "\($0.key.reveal())" }
          + providers.compactMap {
            $0.apple?.privateKey?.reveal() ?? $0.clientSecret?.reveal()
              ?? $0.clientKey?.privateKey.reveal()
          }
          + providers.flatMap(\.clients).compactMap { $0.secret?.reveal() }
          + keys + [webhook.map { $0.secret.text.reveal() } ?? "none"]
          + hooks.flatMap(\.secrets).map { $0.text.reveal() }
          + functions.map { $0.text.reveal() }
          + providerTokens.map { $0.token.reveal() }
          + factors.map(\.id)
          + queued.map { String(decoding: try $0.task.stored, as: UTF8.self) }
      }
    }
  }

  private static let webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private static let functionSecret = "whsec_HwABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4="
  private static let hookSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  private static let all = [
    "[4, 5, 6]", "a private key", "a client secret", "a client's key", "a tablet's secret",
    "[1, 2, 3]", "[1, 2, 3]", "[1, 2, 3]", "[1, 2, 3]", "[1, 2, 3]", webhookSecret, hookSecret,
    functionSecret,
    "Apple's refresh token", "a second factor",
    #"{"kind":"revoke","provider":"apple.com","subject":"s","token":"a queued token","#
      + #""tokenKind":"refresh_token"}"#,
  ]

  /// A column that is missing here would be lost with the old master key: add it to `reseal()`, and a
  /// value of it to `withSecrets`.
  @Test func `every column that outlives a master key is encrypted again`() async throws {
    try await withSecrets { folder in
      let ring = try #require(MasterKeyRing([old]))
      let sealer = RecordingSealer(SecretBox(ring))
      let store = try TestStore.open(at: folder, sealing: sealer)
      _ = try await MasterKeyRotation(store: store, ring: ring).reseal()
      await store.close()
      #expect(sealer.columns == Set(SealedColumn.allCases.filter { $0.renewal != .expires }))
    }
  }

  /// Rotates through `store`, which may fail.
  private func rotate(_ store: any Store, _ ring: MasterKeyRing) async throws {
    let rotation = MasterKeyRotation(store: store, ring: ring)
    _ = try await MasterKeyRotation.select(in: ring, store: store)
    if try await rotation.status().isResealing {
      _ = try await rotation.resume(now: Self.now)
    } else if let next = try await rotation.status().next {
      _ = try await rotation.begin(next, now: Self.now)
      _ = try await rotation.reseal()
    }
  }

  @Test func `afterwards the new key decrypts everything and the old one nothing`() async throws {
    try await withSecrets { folder in
      #expect(try await secrets([old], folder) == Self.all)
      try await with([old, new], folder) { try await rotate($0, $1) }
      #expect(try await secrets([new], folder) == Self.all)
      await #expect(throws: StoreError.damaged("another master key")) {
        try await secrets([old], folder)
      }
      // Nothing is encrypted under the old key, even without the check value.
      _ = try await with([old], folder) { store, _ in
        await #expect(throws: StoreError.self) {
          try await store.read { try $0.signingKeys(of: .idTokens).count }
        }
      }
    }
  }

  @Test func `an interrupted rotation loses nothing, and can continue`() async throws {
    var isInterrupted = true
    var writes = 0
    while isInterrupted {
      try await withSecrets { folder in
        isInterrupted = try await with([old, new], folder) { store, ring in
          // As with `kill -9`: committed writes are there, and nothing else happens.
          let failing = InterruptedStore(store) { [writes] number in
            if number > writes { throw Killed() }
          }
          do {
            try await rotate(failing, ring)
            return false
          } catch is Killed {
            return true
          }
        }
        // Servers with both keys can read everything, and the next run completes the rotation.
        #expect(try await secrets([new, old], folder) == Self.all)
        try await with([old, new], folder) { try await rotate($0, $1) }
        #expect(try await secrets([new], folder) == Self.all)
      }
      writes += 1
    }
    // The change of the key; a transaction for each ring and project; two pages of second factors, of providers' tokens
    // and of the outbox; and the end.
    #expect(writes == 15)
  }

  @Test func `the status is right at every step`() async throws {
    try await withSecrets { folder in
      try await with([old, new], folder) { store, ring in
        let rotation = MasterKeyRotation(store: store, ring: ring)
        var status = try await rotation.status()
        #expect(status.next == new.id && status.former == [] && !status.isResealing)
        #expect(status.rotatedAt == nil)
        #expect(try await rotation.begin(new.id, now: Self.now))
        status = try await rotation.status()
        #expect(status.next == nil && status.former == [old.id] && status.isResealing)
        #expect(status.rotatedAt == Self.now)
        _ = try await rotation.reseal()
        status = try await rotation.status()
        #expect(status.former == [old.id] && !status.isResealing)
        ring.adopt([new])
        #expect(try await rotation.status().former == [])
      }
    }
  }

  @Test func `servers read the new key although the command ended directly after the change`()
    async throws
  {
    try await withSecrets { folder in
      try await with([old, new], folder) { store, ring in
        let before = try await store.changeCounter()
        #expect(try await MasterKeyRotation(store: store, ring: ring).begin(new.id, now: Self.now))
        #expect(try await store.changeCounter() > before)
        let waiting = try await store.read { try $0.waitingEvents(after: nil, limit: 1000) }
        #expect(
          waiting.last?.event?.details
            == ["what": "master key", "name": new.name, "change": "saved"])
      }
    }
  }

  /// The servers may have learned of the new key only now.
  @Test func `sessions refreshed before an interrupted rotation went on count for the former key`()
    async throws
  {
    try await withSecrets { folder in
      let project = project
      try await with([old, new], folder) { store, ring in
        let rotation = MasterKeyRotation(store: store, ring: ring)
        #expect(try await rotation.begin(new.id, now: Self.now))
        let meanwhile = Self.now.addingTimeInterval(3600)
        let session = Session(
          id: SessionID(high: 0, low: 1), uid: try uid("ann"), provider: .google,
          createdAt: meanwhile, authenticatedAt: meanwhile)
        try await store.write { try $0.insert(session, in: project) }
        #expect(try await rotation.sessionsOfFormerKeys() == 0)
        let counter = try await store.changeCounter()
        _ = try await rotation.resume(now: Self.now.addingTimeInterval(7200))
        #expect(try await store.changeCounter() > counter)
        #expect(try await rotation.status().rotatedAt == Self.now.addingTimeInterval(7200))
        #expect(try await rotation.sessionsOfFormerKeys() == 1)
      }
    }
  }

  @Test func `a former key can be removed ten seconds after the change`() async throws {
    try await withSecrets { folder in
      try await with([old, new], folder) { store, ring in
        let rotation = MasterKeyRotation(store: store, ring: ring)
        var rests: [TimeInterval] = []
        rests.append(try await rotation.secondsUntilServersHaveSwitched(now: Self.now))
        _ = try await rotation.begin(new.id, now: Self.now)
        for age in [0, 4, 10, 60] as [TimeInterval] {
          let now = Self.now.addingTimeInterval(age)
          rests.append(try await rotation.secondsUntilServersHaveSwitched(now: now))
        }
        #expect(rests == [0, 10, 6, 0, -50])
      }
    }
  }

  /// Another machine's file, or a variable, may still have it.
  @Test func `a retired key is never the next one again`() async throws {
    try await withSecrets { folder in
      try await with([old, new], folder) { try await rotate($0, $1) }
      let unused = try #require(MasterKey([UInt8](repeating: 9, count: 32)))
      try await with([new, old, unused], folder) { store, ring in
        let status = try await MasterKeyRotation(store: store, ring: ring).status()
        #expect(status.next == unused.id)
        #expect(status.former == [old.id])
      }
    }
  }

  @Test func `a key that isn't held, or encrypts already, begins no rotation`() async throws {
    try await withSecrets { folder in
      try await with([old], folder) { store, ring in
        let rotation = MasterKeyRotation(store: store, ring: ring)
        let begun = [
          try await rotation.begin(new.id, now: Self.now),
          try await rotation.begin(old.id, now: Self.now),
        ]
        #expect(begun == [false, false])
        let status = try await rotation.status()
        #expect(!status.isResealing)
      }
      #expect(try await secrets([old], folder) == Self.all)
    }
  }

  @Test func `of two rotations that begin at the same time, the second changes nothing`()
    async throws
  {
    try await withSecrets { folder in
      let third = try #require(MasterKey([UInt8](repeating: 9, count: 32)))
      try await with([old, new, third], folder) { store, ring in
        // Another command's ring, as it was before the first rotation.
        let stale = try #require(MasterKeyRing([old, new, third]))
        #expect(try await MasterKeyRotation(store: store, ring: ring).begin(new.id, now: Self.now))
        let second = MasterKeyRotation(store: store, ring: stale)
        #expect(try await !second.begin(third.id, now: Self.now))
        #expect(stale.current.id == old.id)
        let check = try await store.read { try $0.serverValue(MasterKeyRotation.Value.check) }
        #expect(check == new.checkValue)
      }
    }
  }

  @Test func `refresh tokens of the old key are valid while it is held`() throws {
    let ring = try #require(MasterKeyRing([old, new]))
    let codec = RefreshTokenCodec(ring)
    let session = SessionID(high: 1, low: 2)
    let before = codec.token(session: session, rotation: 0, project: project)
    #expect(ring.select(checkValue: new.checkValue, former: []))
    let after = codec.token(session: session, rotation: 1, project: project)
    #expect(after.hasPrefix(new.name + "."))
    #expect(try codec.contents(of: before, project: project).rotation == 0)
    #expect(try codec.contents(of: after, project: project).rotation == 1)
    ring.adopt([new])
    #expect(throws: AccountsError.invalidRefreshToken) {
      try codec.contents(of: before, project: project)
    }
    #expect(try codec.contents(of: after, project: project).rotation == 1)
  }

  @Test func `a token that names another key than its own is rejected`() throws {
    let codec = RefreshTokenCodec(try #require(MasterKeyRing([old, new])))
    let token = codec.token(session: SessionID(high: 1, low: 2), rotation: 0, project: project)
    let swapped = new.name + token.dropFirst(old.name.count)
    #expect(throws: AccountsError.invalidRefreshToken) {
      try codec.contents(of: swapped, project: project)
    }
  }

  @Test func `only sessions not refreshed since count for the former key`() async throws {
    try await withSecrets { folder in
      let project = project
      try await with([old, new], folder) { store, ring in
        let uid = try #require(UID("alice"))
        let (early, late) = (
          Self.now.addingTimeInterval(-60), Self.now.addingTimeInterval(60)
        )
        let sessions = [early, early, late].enumerated().map { number, time in
          Session(
            id: SessionID(high: 0, low: UInt64(number)), uid: uid, provider: .google,
            createdAt: time, authenticatedAt: time)
        }
        try await store.write { transaction in
          for session in sessions { try transaction.insert(session, in: project) }
        }
        let rotation = MasterKeyRotation(store: store, ring: ring)
        #expect(try await rotation.sessionsOfFormerKeys() == 0)
        _ = try await rotation.begin(new.id, now: Self.now)
        #expect(try await rotation.sessionsOfFormerKeys() == 2)
        var ended = sessions[0]
        ended.ended = Session.Ending(at: Self.now, reason: .revoked)
        let saved = ended
        try await store.write { try $0.update(saved, in: project) }
        #expect(try await rotation.sessionsOfFormerKeys() == 1)
      }
    }
  }

  @Test func `the database remembers the latest 64 former keys, and when each was replaced`()
    async throws
  {
    try await withSecrets { folder in
      let ring = MasterKeyRing(old)
      let store = try TestStore.open(at: folder, sealing: SecretBox(ring))
      var former: [FormerMasterKey] = []
      for hour in 0..<66 {
        let now = Self.now.addingTimeInterval(TimeInterval(hour) * 3600)
        let next = try #require(MasterKey([UInt8](repeating: UInt8(100 + hour), count: 32)))
        former.append(
          FormerMasterKey(
            checkValue: ring.current.checkValue, usedUntil: now.addingTimeInterval(10)))
        ring.adopt([next])
        #expect(try await MasterKeyRotation(store: store, ring: ring).begin(next.id, now: now))
      }
      let stored = try await store.read { try $0.serverValue(MasterKeyRotation.Value.former) }
      await store.close()
      #expect(FormerMasterKey.list(stored) == Array(former.suffix(64)))
      #expect(
        FormerMasterKey.list(stored.map { Array($0.dropLast()) })
          == Array(former.suffix(64).dropLast()))
      #expect(FormerMasterKey.list(nil) == [])
    }
  }
}

private struct Killed: Error {}

/// Records the columns whose values are encrypted.
private final class RecordingSealer: SecretSealing {
  private let box: SecretBox
  private let sealed = Mutex<Set<SealedColumn>>([])

  init(_ box: SecretBox) { self.box = box }

  var columns: Set<SealedColumn> { sealed.withLock { $0 } }

  func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    sealed.withLock { _ = $0.insert(place.column) }
    return try box.seal(plaintext, at: place)
  }

  func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    try box.open(sealed, at: place)
  }
}

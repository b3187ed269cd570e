import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct OneTimeProfilesTests {
  private final class SetClock: ClientClock {
    private let time = Locked(Date(timeIntervalSince1970: 1_800_000_000))
    var now: Date { time.withLock { $0 } }
    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }
    func sleep(for duration: TimeInterval) async throws {}
  }

  private let store = MemoryStore()
  private let clock = SetClock()
  private let name = PersonName(givenName: "Zo\u{eb}", familyName: "Appleseed")

  /// As after a restart, or in another process.
  private var profiles: OneTimeProfiles {
    OneTimeProfiles(store: store, key: "told-once", clock: clock)
  }

  private func credential(
    _ subject: String, name: PersonName? = nil, provider: Provider = .apple
  ) -> IdentityProviderCredential {
    let payload = Data(#"{"sub":"\#(subject)"}"#.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    var credential = IdentityProviderCredential(provider: provider)
    credential.idToken = "e30.\(payload).c2ln"
    credential.fullName = name
    return credential
  }

  @Test func `a name is stored before it is sent`() throws {
    let prepared = try profiles.prepare(credential("zoe", name: name))
    #expect(prepared.fullName == name)
    let stored = try #require(try store.read("told-once"))
    #expect(String(decoding: stored, as: UTF8.self).contains("Appleseed"))
  }

  @Test func `a name is sent until the server has it`() throws {
    _ = try profiles.prepare(credential("zoe", name: name))
    for _ in 0..<2 {
      #expect(try profiles.prepare(credential("zoe")).fullName == name)
    }
    try profiles.acknowledge(try profiles.prepare(credential("zoe")))
    #expect(try profiles.prepare(credential("zoe")).fullName == nil)
    #expect(try store.read("told-once") == nil)
  }

  @Test func `a name belongs to the user at the provider that told it`() throws {
    _ = try profiles.prepare(credential("zoe", name: name))
    #expect(try profiles.prepare(credential("bob")).fullName == nil)
    #expect(try profiles.prepare(credential("zoe", provider: .google)).fullName == nil)
    try profiles.acknowledge(try profiles.prepare(credential("bob")))
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
  }

  @Test func `an email that came with the token is kept, too`() throws {
    var told = credential("zoe")
    told.email = "zoe@example.com"
    _ = try profiles.prepare(told)
    #expect(try profiles.prepare(credential("zoe")).email == "zoe@example.com")
    _ = try profiles.prepare(credential("zoe", name: name))
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
  }

  @Test func `a newer name replaces an older one, and isn't acknowledged by an older answer`()
    throws
  {
    let first = try profiles.prepare(credential("zoe", name: name))
    let newer = PersonName(givenName: "Zora")
    _ = try profiles.prepare(credential("zoe", name: newer))
    try profiles.acknowledge(first)
    #expect(try profiles.prepare(credential("zoe")).fullName == newer)
  }

  @Test func `a pending token's answer acknowledges the user that it names`() throws {
    _ = try profiles.prepare(credential("zoe", name: name))
    var pending = IdentityProviderCredential(provider: .apple)
    pending.pendingToken = "made-up"
    #expect(try profiles.prepare(pending) == pending)
    try profiles.acknowledge(pending)
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
    try profiles.acknowledge(pending, subject: "zoe")
    #expect(try store.read("told-once") == nil)
  }

  @Test func `a deleted account's name is forgotten`() throws {
    _ = try profiles.prepare(credential("zoe", name: name))
    try profiles.forget("bob", at: .apple)
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
    try profiles.forget("zoe", at: .apple)
    #expect(try store.read("told-once") == nil)
  }

  @Test func `a name is kept for ninety days`() throws {
    _ = try profiles.prepare(credential("zoe", name: name))
    clock.advance(days: 90)
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
    clock.advance(days: 0.001)
    #expect(try profiles.prepare(credential("zoe")).fullName == nil)
    #expect(try store.read("told-once") == nil)
  }

  @Test func `the latest eight users are kept`() throws {
    for index in 0..<9 { _ = try profiles.prepare(credential("p\(index)", name: name)) }
    #expect(try profiles.prepare(credential("p0")).fullName == nil)
    #expect(try profiles.prepare(credential("p1")).fullName == name)
    #expect(try profiles.prepare(credential("p8")).fullName == name)
  }

  @Test func `a name of 256 characters is kept in every script`() throws {
    for character in ["n", "\u{1EC5}", "\u{20BB7}"] {
      let long = PersonName(givenName: String(repeating: character, count: 256))
      _ = try profiles.prepare(credential("zoe", name: long))
      #expect(try profiles.prepare(credential("zoe")).fullName == long)
    }
  }

  @Test func `a part that the server would drop isn't kept`() throws {
    let long = PersonName(
      givenName: String(repeating: "n", count: UserName.maximumPartBytes + 1),
      familyName: "Appleseed")
    _ = try profiles.prepare(credential("zoe", name: long))
    #expect(
      try profiles.prepare(credential("zoe")).fullName == PersonName(familyName: "Appleseed"))
  }

  @Test(arguments: [
    "", "a.b", "a.b.c", "e30.e30.c2ln", "e30.W10.c2ln", "e30.eyJzdWIiOiIifQ.c2ln",
    "e30.eyJzdWIiOjF9.c2ln", "e30.eyJzdWIiOiJ6In0=.c2ln",
  ])
  func `a token without a subject keeps nothing, and is sent unchanged`(_ token: String) throws {
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = token
    credential.fullName = name
    #expect(try profiles.prepare(credential) == credential)
    #expect(try store.read("told-once") == nil)
  }

  @Test(arguments: ["not JSON", #"{"version":2,"profiles":[]}"#])
  func `a damaged list doesn't stop a sign-in`(_ text: String) throws {
    try store.write(Data(text.utf8), for: "told-once")
    #expect(try profiles.prepare(credential("zoe")).fullName == nil)
    try store.write(Data(text.utf8), for: "told-once")
    #expect(try profiles.prepare(credential("zoe", name: name)).fullName == name)
    #expect(try profiles.prepare(credential("zoe")).fullName == name)
  }

  @Test func `names from many threads are all kept`() async throws {
    let profiles = profiles
    let credentials = (0..<8).map { credential("p\($0)", name: name) }
    await withTaskGroup { group in
      for credential in credentials {
        group.addTask { _ = try? profiles.prepare(credential) }
      }
    }
    for index in 0..<8 {
      #expect(try profiles.prepare(credential("p\(index)")).fullName == name)
    }
  }
}

import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RefreshTokenCodecTests {
  private let codec: RefreshTokenCodec
  private let project: ProjectID
  private let session = SessionID(high: 0x0123_4567_89AB_CDEF, low: 42)

  init() throws {
    codec = RefreshTokenCodec(try #require(MasterKey([UInt8](repeating: 7, count: 32))))
    project = try #require(ProjectID("test-project"))
  }

  private func token(rotation: UInt32 = 3) -> String {
    codec.token(session: session, rotation: rotation, project: project)
  }

  private func isRefused(_ token: String, codec other: RefreshTokenCodec? = nil) -> Bool {
    #expect(throws: AccountsError.invalidRefreshToken) {
      try (other ?? codec).contents(of: token, project: project)
    } != nil
  }

  @Test(arguments: [0, 1, 9, 10, .max] as [UInt32])
  func `a token is written and read`(rotation: UInt32) throws {
    let contents = try codec.contents(of: token(rotation: rotation), project: project)
    #expect(contents.session == session)
    #expect(contents.rotation == rotation)
  }

  @Test func `a token consists of key id, session, rotation and mac`() throws {
    let match = try #require(
      token().wholeMatch(of: /([0-9a-f]{8})\.([0-9a-f]{32})\.(\d+)\.([0-9a-f]{64})/))
    #expect(String(match.2) == session.description)
    #expect(match.3 == "3")
  }

  @Test func `every part is authenticated`() {
    let parts = token().split(separator: ".").map(String.init)
    for index in parts.indices {
      var changed = parts
      let last = parts[index].hasSuffix("0") ? "1" : "0"
      changed[index] = String(parts[index].dropLast()) + last
      #expect(isRefused(changed.joined(separator: ".")))
    }
  }

  @Test func `another spelling of the rotation is rejected`() {
    let parts = token().split(separator: ".").map(String.init)
    for spelling in ["03", "+3", " 3", "3 ", "4294967299", "-3", "\u{0663}"] {
      #expect(isRefused([parts[0], parts[1], spelling, parts[3]].joined(separator: ".")))
    }
  }

  @Test func `upper-case letters, more parts and white space are rejected`() {
    let token = token()
    for text in [token.uppercased(), token + ".", "." + token, token + " ", token + ".x", ""] {
      #expect(isRefused(text))
    }
  }

  @Test func `a token of another master key is rejected`() throws {
    let other = RefreshTokenCodec(try #require(MasterKey([UInt8](repeating: 8, count: 32))))
    #expect(isRefused(token(), codec: other))
  }

  @Test func `a very long text is rejected`() {
    #expect(isRefused(String(repeating: "a", count: 1_000_000)))
    #expect(isRefused(String(repeating: ".", count: 1_000_000)))
  }
}

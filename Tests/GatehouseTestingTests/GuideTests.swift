import Foundation
import GatehouseAuth
import GatehouseClient
import GatehouseCore
import GatehouseProtocol
import GatehouseTesting
import Testing

/// The code of `docs/guides/testing.md`.
struct GuideTests {
  @Test func `the guide prints only code that is compiled`() throws {
    let compiled = try [
      "Examples/TestedApp/Package.swift", "Examples/TestedApp/Tests/SignInModelTests.swift",
      "Tests/GatehouseTestingTests/GuideTests.swift",
      "Tests/GatehouseTestingTests/AuthTestServerTests.swift",
    ].map(Self.text).joined()
    // Linux has no previews.
    let ofPreview = ["#Preview {", "AccountView()", "}"]
    let guide = try Self.text("docs/guides/testing.md").components(separatedBy: "```")
    let blocks = guide.filter { $0.hasPrefix("swift\n") }
      .flatMap { $0.split(separator: "\n").dropFirst() }
    // In the table, code is between backticks, and one cell has several calls.
    let cells = guide.filter { !$0.hasPrefix("swift\n") }.joined()
      .components(separatedBy: "`").filter { $0.hasPrefix("server.") || $0.contains("(testing") }
    #expect(blocks.count > 10 && cells.count > 10)
    for line in blocks.map(String.init) + cells {
      let line = line.trimmingCharacters(in: .whitespaces)
      #expect(compiled.contains(line) || ofPreview.contains(line), "\(line)")
    }
  }

  @Test func `the class for Objective-C is compiled without its attribute`() throws {
    let page = try Self.text("docs/guides/migrating-from-firebase.md")
    let block = try #require(
      page.components(separatedBy: "```").first { $0.hasPrefix("swift\n@objc") })
    let code = block.dropFirst("swift\n".count).replacingOccurrences(of: "@objc ", with: "")
    #expect(try Self.text("Tests/GatehouseTestingTests/GuideTests.swift").contains(code))
  }

  private static func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  // Not called: other tests use the default app too.
  private func preview() {
    let server = AuthTestServer()
    let ana = server.createUser(email: "ana@example.com", displayName: "Ana")
    let _ = FirebaseApp.configure(testing: server, signedInAs: ana.uid)
    FirebaseApp.configure(testing: server, signedInAs: "ana")
  }

  @Test func `an app begins with a user`() async throws {
    let server = AuthTestServer()
    let ana = server.createUser(email: "ana@example.com", displayName: "Ana")
    let app = FirebaseApp.configure(
      testing: server, name: "guide-\(UInt64.random(in: 0 ... .max))", signedInAs: ana.uid)
    let user = try #require(Auth.auth(app: app).currentUser)
    #expect(user.displayName == "Ana")
    #expect(server.calls == [])
    #expect(try await user.getIDTokenResult(forcingRefresh: true).signInProvider == "password")
    #expect(AuthClient(testing: server, signedInAs: ana.uid).currentUser?.uid == ana.uid)
    #expect(AuthClient(testing: server, signedInAs: "bob").currentUser == nil)
  }

  @Test func `what else a test says`() async throws {
    let server = AuthTestServer()
    server.createUser(uid: "ana", email: "ana@example.com", password: "correct horse")
    let client = AuthClient(testing: server, signedInAs: "ana")
    let user = try #require(client.currentUser)
    server.updateUser("ana") { $0.customClaims = ["role": "editor"] }
    server.clock.advance(by: 3600)
    #expect(try await user.idToken().claims["role"]?.string == "editor")
    try await user.sendEmailVerification()
    #expect(server.emails.last?.link != nil)
    server.revokeRefreshTokens("ana")
    await #expect(throws: ClientError.sessionEnded(.revoked)) { try await user.reload() }
    server.updateUser("ana") { $0.isDisabled = true }
    server.deleteUser("ana")
    #expect(server.users == [])
  }
}

public final class Session: NSObject {
  public static var userID: String? { Auth.auth().currentUser?.uid }

  public static func signIn(
    email: String, password: String, completion: @escaping (Error?) -> Void
  ) {
    Auth.auth().signIn(withEmail: email, password: password) { _, error in completion(error) }
  }

  public static func token(completion: @escaping (String?, Error?) -> Void) {
    guard let user = Auth.auth().currentUser else { return completion(nil, nil) }
    user.getIDToken(completion: completion)
  }

  public static func signOut() throws { try Auth.auth().signOut() }
}

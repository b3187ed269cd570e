import Foundation
import GatehouseVerifier
import Testing

/// A back end's verification of the real server's tokens.
@Suite(.developmentServer)
struct VerifierTests {
  private struct Person {
    let uid: String
    let idToken: String
    let email: String
  }

  private func person(_ server: GatehouseServer) async throws -> Person {
    let email = Unique.email()
    let reply = try await server.app.signUp(email, "correct horse").json
    return Person(
      uid: try #require(reply["localId"].string), idToken: try #require(reply["idToken"].string),
      email: email)
  }

  private func verifier(
    _ server: GatehouseServer, project: String = "demo"
  ) throws -> IDTokenVerifier {
    IDTokenVerifier(try .development(serverURL: server.baseURL, projectID: project))
  }

  @Test func `a back end knows the user who signed in`() async throws {
    let server = try suiteServer()
    let person = try await person(server)
    let user = try await verifier(server).verify(person.idToken)
    #expect(user.uid == person.uid)
    #expect(user.email == person.email)
    #expect(!user.isEmailVerified)
    #expect(user.signInProvider == "password")
    #expect(user.hasSignedIn(within: 300))
  }

  @Test func `a sign-in with Google brings a verified address`() async throws {
    let server = try suiteServer()
    let email = Unique.email()
    let credential = try await server.providers.google(
      try await server.providers.person(email: email))
    let token = try #require(try await server.app.signIn(credential).json["idToken"].string)
    let user = try await verifier(server).verify(token)
    #expect(user.email == email)
    #expect(user.isEmailVerified)
    #expect(user.signInProvider == "google.com")
  }

  @Test func `a token belongs to one project`() async throws {
    let server = try suiteServer()
    let person = try await person(server)
    // The other project is created when an administrator names it.
    _ = try await Administrator(baseURL: server.baseURL, project: "other-app").account("nobody")
    let verifier = try verifier(server, project: "other-app")
    do {
      _ = try await verifier.verify(person.idToken)
      Issue.record("a token of another project was accepted")
    } catch .refused(let error) {
      #expect(error.code == .issuer)
    }
  }

  @Test(
    arguments: [
      (["disableUser": true], VerificationError.Ending.disabled),
      (["validSince": "4102444800"], .revoked),
    ] as [([String: JSON], VerificationError.Ending)])
  func `a disabled or revoked user is rejected by verifyAskingServer, and not by verify`(
    _ change: [String: JSON], _ end: VerificationError.Ending
  ) async throws {
    let server = try suiteServer()
    let person = try await person(server)
    let verifier = try verifier(server)
    #expect(try await verifier.verifyAskingServer(person.idToken).uid == person.uid)
    let change = change.merging(["localId": .string(person.uid)]) { $1 }
    #expect(
      try await server.administrator.call(.post, "accounts:update", .object(change)).verdict
        == "200")
    await #expect(throws: VerificationError.ended(end)) {
      try await verifier.verifyAskingServer(person.idToken)
    }
    #expect(try await verifier.verify(person.idToken).uid == person.uid)
  }

  @Test func `a deleted account is rejected by verifyAskingServer`() async throws {
    let server = try suiteServer()
    let person = try await person(server)
    let verifier = try verifier(server)
    _ = try await server.app.call("delete", ["idToken": .string(person.idToken)])
    await #expect(throws: VerificationError.ended(.deleted)) {
      try await verifier.verifyAskingServer(person.idToken)
    }
  }

  @Test func `a session cookie is not accepted as an ID token`() async throws {
    let server = try suiteServer()
    let person = try await person(server)
    let made = try await HTTP.post(
      "\(server.baseURL)/v1/projects/demo:createSessionCookie",
      ["idToken": .string(person.idToken), "validDuration": "432000"],
      headers: [("authorization", "Bearer owner")])
    let cookie = try #require(made.json["sessionCookie"].string)
    let cookies = SessionCookieVerifier(try .development(serverURL: server.baseURL))
    #expect(try await cookies.verify(cookie).uid == person.uid)
    #expect(try await cookies.verifyAskingServer(cookie).uid == person.uid)
    let tokens = try verifier(server)
    await #expect(throws: VerificationError.self) { try await tokens.verify(cookie) }
    await #expect(throws: VerificationError.self) { try await cookies.verify(person.idToken) }
  }
}

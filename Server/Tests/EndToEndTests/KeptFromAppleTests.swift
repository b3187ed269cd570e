import Foundation
import Testing

/// Values that Apple returns only at a user's first sign-in are still there at the second.
@Suite(.developmentServer)
struct KeptFromAppleTests {
  @Test func `a later sign-in has the real user status of the first`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    let sheets = [
      try await server.providers.apple(person, hidesEmail: true),
      try await server.providers.apple(person, hidesEmail: true),
    ]
    let statuses = sheets.map {
      JWTParts($0.credential.idToken)?.claims["real_user_status"].number
    }
    #expect(statuses == [2, nil])
    var uid: String?
    for sheet in sheets {
      let reply = try await server.app.signIn(sheet.credential)
      #expect(reply.verdict == "200")
      let profile = JSON(reading: Data((reply.json["rawUserInfo"].string ?? "").utf8))
      #expect(profile["real_user_status"] == 2)
      #expect(profile["is_private_email"] == true)
      uid = reply.json["localId"].string
    }
    let identity = try await server.administrator.account(try #require(uid))["providerUserInfo"][0]
    #expect(identity["realUserStatus"] == 2)
    #expect(identity["isPrivateEmail"] == true)
  }
}

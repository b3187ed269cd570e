import Foundation
import Testing

/// Sign-in with the simulated Facebook of `--dev`, with the results of an app's Facebook SDK.
@Suite(.developmentServer)
struct SimulatedFacebookTests {
  private static let appID = "1234567890"

  private func sheet(_ fields: [String: JSON]) async throws -> JSON {
    let server = try suiteServer()
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/facebook/native-sign-in",
      .object(fields.merging(["client_id": .string(Self.appID)]) { given, _ in given }))
    guard reply.status == 200 else { throw Unexpected(reply) }
    return reply.json
  }

  @Test func `an access token and Limited Login lead to one account`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person(email: Unique.email(), givenName: "Ada")
    let classic = try await sheet(["person": .string(person)])
    let token = try #require(classic["accessToken"].string)
    let first = try await server.app.signInWithIdp(
      postBody: "access_token=\(token)&providerId=facebook.com")
    #expect(first.verdict == "200")
    #expect(
      first.json["federatedId"].string == "http://facebook.com/\(classic["userID"].string ?? "")")
    #expect(first.json["firstName"] == "Ada")
    #expect(first.json["emailVerified"] == false)

    let nonce = Unique.nonce()
    let limited = try await sheet([
      "person": .string(person), "tracking": "limited", "nonce": .string(Nonce.hash(nonce)),
    ])
    #expect(limited["accessToken"].isNull)
    let again = try await server.app.signIn(
      Credential(
        provider: "facebook.com", idToken: try #require(limited["authenticationToken"].string),
        nonce: nonce))
    #expect(again.verdict == "200")
    #expect(again.json["localId"] == first.json["localId"])
    #expect(again.json["isNewUser"].isNull)
  }

  @Test func `revoked access doesn't sign in`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person(email: Unique.email())
    let token = try #require(
      try await sheet(["person": .string(person)])["accessToken"].string)
    let postBody = "access_token=\(token)&providerId=facebook.com"
    let signedIn = try await server.app.signInWithIdp(postBody: postBody)
    let revoked = try await HTTP.post(
      "\(server.baseURL)/identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=any-key",
      [
        "providerId": "facebook.com", "tokenType": 2, "token": .string(token),
        "idToken": signedIn.json["idToken"],
      ])
    #expect(revoked.verdict == "200")
    let refused = try await server.app.signInWithIdp(postBody: postBody)
    #expect(
      refused.message?.hasPrefix("INVALID_IDP_RESPONSE : Bad access token: {\"code\":190") == true)
  }

  @Test func `another app's token is refused with Facebook's error`() async throws {
    let server = try suiteServer()
    let other = try await sheet(["client_id": "999999999"])
    let refused = try await server.app.signInWithIdp(
      postBody: "access_token=\(other["accessToken"].string ?? "")&providerId=facebook.com")
    #expect(
      refused.message
        == "INVALID_IDP_RESPONSE : Unsuccessful debug_token response from Facebook: "
        + #"{"error":{"code":100,"message":"(#100) The App_id in the input_token did not match "#
        + #"the Viewing App"}}"#)
  }
}

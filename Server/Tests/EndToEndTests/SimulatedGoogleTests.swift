import Foundation
import Testing

/// Sign-in with the simulated Google of `--dev`, with the results of Google's SDKs and a browser
/// extension.
@Suite(.developmentServer)
struct SimulatedGoogleTests {
  /// The result of Google's SDK in an app that sets no nonce.
  private func sheet(_ person: String, _ fields: [String: JSON] = [:]) async throws -> JSON {
    let server = try suiteServer()
    let body: [String: JSON] = [
      "client_id": .string(SimulatedProviders.googleClientID), "person": .string(person),
    ]
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/google/native-sign-in",
      .object(body.merging(fields) { _, given in given }))
    guard reply.status == 200 else { throw Unexpected(reply) }
    return reply.json
  }

  private func signIn(_ name: String, _ token: JSON) async throws -> Reply {
    try await suiteServer().app.signInWithIdp(
      postBody: "\(name)=\(token.string ?? "")&providerId=google.com")
  }

  @Test func `an iPhone's token with an unknown nonce signs in`() async throws {
    let person = try await suiteServer().providers.person(email: Unique.email())
    let first = try await signIn("id_token", try await sheet(person)["idToken"])
    #expect(first.verdict == "200")
    let android = try await sheet(person, ["own_nonce": false])
    let again = try await signIn("id_token", android["idToken"])
    #expect(again.json["localId"] == first.json["localId"])
  }

  @Test func `an access token alone signs in to the same account, for this app's clients`()
    async throws
  {
    let person = try await suiteServer().providers.person(email: Unique.email())
    let given = try await sheet(person)
    let first = try await signIn("id_token", given["idToken"])
    let alone = try await signIn("access_token", given["accessToken"])
    #expect(alone.verdict == "200")
    #expect(alone.json["localId"] == first.json["localId"])
    let other = try await sheet(person, ["client_id": "other.apps.example.com"])
    let refused = try await signIn("access_token", other["accessToken"])
    #expect(
      refused.verdict
        == "400 INVALID_IDP_RESPONSE : Bad access token: it was issued to another app.")
  }
}

import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The story of an app's account, from the first sign-in to its deletion.
struct DemoStory {
  let http: DemoClient
  let server: String
  let simulator: String

  private static let apiKey = "demo-api-key"

  /// Values that later steps need.
  private struct State {
    var count = 0
    var person = ""
    var appleUser = ""
    var appleCode = ""
    var idToken = ""
    var refreshToken = ""
    var localID = ""
    var spentToken = ""
    var spentNonce = ""
    var otherRefreshToken = ""
  }

  /// - Returns: The number of steps.
  func tell() async throws -> Int {
    var state = State()
    try await meet(&state)
    try await signInWithApple(&state)
    try await refuseWrongNonce(&state)
    try await refuseReplay(&state)
    try await verify(&state)
    try await linkGoogle(&state)
    try await signInOnSecondDevice(&state)
    try await reauthenticate(&state)
    try await refresh(&state)
    try await revoke(&state)
    try await delete(&state)
    try await refuseSecondDevice(&state)
    try await askApple(&state)
    return state.count
  }

  // MARK: The steps

  private func meet(_ state: inout State) async throws {
    begin("The server is ready, and the simulator has a new person", &state)
    try expect(await http.get(server + "/readyz"), 200)
    state.person = "demo-\(UInt32.random(in: .min ... .max))"
    let person = try await http.post(
      simulator + "/simulator/persons",
      [
        "id": .string(state.person), "email": .string("\(state.person)@example.com"),
        "givenName": "Zoë", "familyName": "Example",
      ])
    guard (200...201).contains(person.status) else { throw unexpected(person, "a new person") }
  }

  private func signInWithApple(_ state: inout State) async throws {
    begin("The user signs in with Apple: the token is bound to a nonce", &state)
    let (sheet, nonce) = try await appleSheet(&state)
    state.spentToken = sheet.string("identityToken") ?? ""
    state.spentNonce = nonce
    let postBody = appleBody(state.spentToken, nonce, name: ("Zoë", "Example"))
    let answer = try expect(await signIn(postBody), 200)
    guard answer.body["isNewUser"]?.bool == true else { throw unexpected(answer, "a new account") }
    try keepTokens(of: answer, &state)
    state.localID = answer.string("localId") ?? ""
  }

  private func refuseWrongNonce(_ state: inout State) async throws {
    begin("A token with another nonce is refused", &state)
    let (sheet, _) = try await appleSheet(&state)
    let answer = try await signIn(
      appleBody(sheet.string("identityToken") ?? "", Self.randomNonce()))
    try expectRefusal(answer, "MISSING_OR_INVALID_NONCE")
  }

  private func refuseReplay(_ state: inout State) async throws {
    begin("The first token, stolen and used again, is refused", &state)
    try expectRefusal(
      await signIn(appleBody(state.spentToken, state.spentNonce)),
      "MISSING_OR_INVALID_NONCE : Duplicate credential received.")
  }

  private func verify(_ state: inout State) async throws {
    begin("A back end verifies our ID token with the key set alone", &state)
    let document = try expect(
      await http.get(
        server + "/robot/v1/metadata/jwk/securetoken@system.gserviceaccount.com"), 200)
    guard let keys = try? KeySet(jwks: JSONValue.object(document.body).serialized()),
      let issuer = try? UnverifiedToken(state.idToken).unverifiedIssuer,
      let project = issuer.split(separator: "/").last.map(String.init)
    else { throw unexpected(document, "a key set") }
    let policy = TokenPolicy(issuers: [issuer], audiences: [project], algorithms: [.rs256, .es256])
    do throws(TokenError) {
      let token = try TokenVerifier(policy: policy).verify(
        UnverifiedToken(state.idToken), keys: keys, now: Date())
      Terminal.say("     verified: iss \(token.issuer), sub \(token.subject)")
    } catch {
      throw CommandFailure("the ID token does not verify: \(error)")
    }
  }

  private func linkGoogle(_ state: inout State) async throws {
    begin("The user links Google to the account", &state)
    let postBody = try await googleBody(state)
    let answer = try expect(await signIn(postBody, ["idToken": .string(state.idToken)]), 200)
    try expectSameAccount(answer, state)
    try keepTokens(of: answer, &state)
  }

  private func signInOnSecondDevice(_ state: inout State) async throws {
    begin("On a second device, Google opens the same account", &state)
    let answer = try expect(await signIn(try await googleBody(state)), 200)
    try expectSameAccount(answer, state)
    state.otherRefreshToken = answer.string("refreshToken") ?? ""
  }

  private func reauthenticate(_ state: inout State) async throws {
    begin("Before a sensitive operation, the user re-authenticates with Apple", &state)
    let (sheet, nonce) = try await appleSheet(&state)
    let answer = try expect(
      await signIn(
        appleBody(sheet.string("identityToken") ?? "", nonce), ["autoCreate": false]), 200)
    try expectSameAccount(answer, state)
    try keepTokens(of: answer, &state)
  }

  private func refresh(_ state: inout State) async throws {
    begin("The app refreshes its session; the refresh token rotates", &state)
    let answer = try expect(await refresh(state.refreshToken), 200)
    guard let next = answer.string("refresh_token"), let idToken = answer.string("id_token"),
      next != state.refreshToken
    else { throw unexpected(answer, "a new refresh token") }
    state.refreshToken = next
    state.idToken = idToken
  }

  private func revoke(_ state: inout State) async throws {
    begin("The user deletes the account: first Apple's tokens are revoked", &state)
    let answer = try await http.post(
      server + "/v2/accounts:revokeToken?key=" + Self.apiKey,
      [
        "providerId": "apple.com", "tokenType": "CODE", "token": .string(state.appleCode),
        "idToken": .string(state.idToken),
      ])
    try expect(answer, 200)
  }

  private func delete(_ state: inout State) async throws {
    begin("… then the account is deleted", &state)
    try expect(
      await http.post(
        server + "/v1/accounts:delete?key=" + Self.apiKey, ["idToken": .string(state.idToken)]),
      200)
  }

  private func refuseSecondDevice(_ state: inout State) async throws {
    begin("On the second device, a forced refresh shows that the account is deleted", &state)
    try expectRefusal(await refresh(state.otherRefreshToken), "USER_NOT_FOUND")
  }

  private func askApple(_ state: inout State) async throws {
    begin("Apple's credential state is “revoked”", &state)
    let answer = try expect(
      await http.get(
        simulator + "/apple/credential-state?client_id=\(DevelopmentProject.bundleID)"
          + "&user=\(state.appleUser)"), 200)
    guard answer.string("state") == "revoked" else { throw unexpected(answer, "revoked") }
  }

  // MARK: Devices and providers

  private func appleSheet(_ state: inout State) async throws -> (DemoClient.Answer, String) {
    let nonce = Self.randomNonce()
    let hash = Hexadecimal.text(SHA256.hash(data: Data(nonce.utf8)))
    let sheet = try expect(
      await http.post(
        simulator + "/apple/native-sign-in",
        [
          "client_id": .string(DevelopmentProject.bundleID), "nonce": .string(hash),
          "person": .string(state.person), "email": "share", "scopes": ["name", "email"],
        ]), 200)
    state.appleUser = sheet.string("user") ?? ""
    state.appleCode = sheet.string("authorizationCode") ?? ""
    return (sheet, nonce)
  }

  private func googleBody(_ state: State) async throws -> String {
    let sheet = try expect(
      await http.post(
        simulator + "/google/native-sign-in",
        [
          "client_id": .string(DevelopmentProject.clientID(of: .google)),
          "person": .string(state.person),
        ]), 200)
    return "providerId=google.com&id_token=\(sheet.string("idToken") ?? "")"
  }

  /// As Google's SDK for Apple platforms writes it: not percent-encoded, `user` last.
  private func appleBody(
    _ idToken: String, _ nonce: String, name: (String, String)? = nil
  ) -> String {
    let user = name.map { name in
      #"&user={"name":{"firstName":"\#(name.0)","lastName":"\#(name.1)"}}"#
    }
    return "providerId=apple.com&id_token=\(idToken)&nonce=\(nonce)" + (user ?? "")
  }

  private func signIn(
    _ postBody: String, _ more: [String: JSONValue] = [:]
  ) async throws -> DemoClient.Answer {
    let url = server + "/v1/accounts:signInWithIdp?key=" + Self.apiKey
    return try await http.post(
      url,
      [
        "requestUri": "http://localhost", "postBody": .string(postBody),
        "returnSecureToken": true, "returnIdpCredential": true,
        "autoCreate": more["autoCreate"] ?? .null, "idToken": more["idToken"] ?? .null,
      ])
  }

  private func refresh(_ refreshToken: String) async throws -> DemoClient.Answer {
    try await http.post(
      server + "/v1/token?key=" + Self.apiKey,
      ["grant_type": "refresh_token", "refresh_token": .string(refreshToken)])
  }

  /// 32 characters, as in the sign-in guides.
  private static func randomNonce() -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVXYZabcdefghijklmnopqrstuvwxyz-._")
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
  }
}

// MARK: Expectations

extension DemoStory {
  private func begin(_ title: String, _ state: inout State) {
    state.count += 1
    Terminal.say()
    Terminal.say("\(state.count). \(title)")
  }

  private func keepTokens(of answer: DemoClient.Answer, _ state: inout State) throws {
    guard let idToken = answer.string("idToken"), let refreshToken = answer.string("refreshToken")
    else { throw unexpected(answer, "tokens") }
    state.idToken = idToken
    state.refreshToken = refreshToken
  }

  private func expectSameAccount(_ answer: DemoClient.Answer, _ state: State) throws {
    guard answer.string("localId") == state.localID else {
      throw unexpected(answer, "the account \(state.localID)")
    }
  }

  @discardableResult
  private func expect(_ answer: DemoClient.Answer, _ status: Int) throws -> DemoClient.Answer {
    guard answer.status == status else { throw unexpected(answer, "status \(status)") }
    return answer
  }

  private func expectRefusal(_ answer: DemoClient.Answer, _ start: String) throws {
    guard answer.status == 400, answer.message?.hasPrefix(start) == true else {
      throw unexpected(answer, "the refusal \(start)")
    }
  }

  private func unexpected(_ answer: DemoClient.Answer, _ wanted: String) -> CommandFailure {
    CommandFailure(
      "this step failed: expected \(wanted), got \(answer.status) \(answer.message ?? "")")
  }
}

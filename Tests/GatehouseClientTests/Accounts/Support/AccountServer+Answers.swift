import Foundation
import GatehouseClient
import GatehouseProtocol

extension AccountServer {
  enum Reply {
    case ok(JSONObject)
    case refused(String, more: JSONObject = [:])

    var response: TransportResponse {
      switch self {
      case .ok(let body): Self.response(200, body)
      case .refused(let message, let more):
        Self.response(
          400,
          [
            "error": .object(
              JSONObject(
                [
                  JSONObject.Member(name: "code", value: 400),
                  JSONObject.Member(name: "message", value: .string(message)),
                ] + more.members))
          ])
      }
    }

    private static func response(_ status: Int, _ body: JSONObject) -> TransportResponse {
      TransportResponse(status: status, headers: [:], body: Data(body.serialized()))
    }
  }

  static func answer(
    _ endpoint: String, _ body: JSONObject, _ state: inout State, _ now: Date
  ) -> Reply {
    switch endpoint {
    case "signIn", "reauthenticate", "link": return identity(body, &state, now)
    case "password": return password(body, &state, now)
    case "signUp": return signUp(&state, now)
    case "token":
      guard let index = holder(body["refresh_token"]?.string ?? body["refreshToken"]?.string, state)
      else { return .refused("INVALID_REFRESH_TOKEN") }
      return whole(state.accounts[index]) {
        let tokens = tokens(&state, index, now)
        return .ok([
          "id_token": tokens["idToken"] ?? .null, "access_token": tokens["idToken"] ?? .null,
          "refresh_token": tokens["refreshToken"] ?? .null, "expires_in": "3600",
          "token_type": "Bearer", "user_id": .string(state.accounts[index].uid),
          "project_id": "12345",
        ])
      }
    default:
      guard let index = holder(body["idToken"]?.string, state) else {
        return .refused("INVALID_ID_TOKEN")
      }
      if endpoint == "delete", let date = state.accounts[index].scheduledFor {
        return scheduled(date)
      }
      return whole(state.accounts[index]) { own(endpoint, body, &state, index, now) }
    }
  }

  /// Answers only if the account exists and isn't refused.
  private static func whole(_ account: Account, _ answer: () -> Reply) -> Reply {
    if let refusal = account.refusal { return .refused(refusal) }
    return account.exists ? answer() : .refused("USER_NOT_FOUND")
  }

  private static func own(
    _ endpoint: String, _ body: JSONObject, _ state: inout State, _ index: Int, _ now: Date
  ) -> Reply {
    switch endpoint {
    case "lookup": return .ok(["users": [.object(shown(state.accounts[index], now))]])
    case "revoke":
      state.usedCodes.insert(body["token"]?.string ?? "")
      if !state.unconfirmed.contains(.apple) { state.accounts[index].authenticatedAt = now }
      return .ok([:])
    case "delete":
      if isTooOld(state.accounts[index], state, now) && !state.accounts[index].providers.isEmpty {
        return .refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      }
      if state.graceSeconds > 0 {
        let date = now.addingTimeInterval(state.graceSeconds)
        state.accounts[index].scheduledFor = date
        state.accounts[index].refusal = "TOKEN_EXPIRED"
        return scheduled(date)
      }
      state.accounts[index].exists = false
      return .ok([:])
    case "update":
      let unlinked = body["deleteProvider"]?.array ?? []
      if !unlinked.isEmpty, isTooOld(state.accounts[index], state, now) {
        return .refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      }
      for attribute in body["deleteAttribute"]?.array ?? [] {
        if attribute == "DISPLAY_NAME" { state.accounts[index].displayName = nil }
        if attribute == "PHOTO_URL" { state.accounts[index].photoURL = nil }
      }
      for provider in unlinked.compactMap(\.string) {
        state.accounts[index].unlink(Provider(provider))
      }
      return .ok(["localId": .string(state.accounts[index].uid)])
    default: return .refused("NOT_SCRIPTED : \(endpoint)")
    }
  }

  private static func scheduled(_ date: Date) -> Reply {
    .ok(["deletionScheduledFor": .string(String(Int64(date.timeIntervalSince1970) * 1000))])
  }

  private static func isTooOld(_ account: Account, _ state: State, _ now: Date) -> Bool {
    now.timeIntervalSince(account.authenticatedAt) > state.recentSignInSeconds
  }

  // MARK: Identities

  private static func identity(_ body: JSONObject, _ state: inout State, _ now: Date) -> Reply {
    let form = PostBody(postBody: body["postBody"]?.string, requestURI: nil)
    let token: ProviderToken
    if let name = body["pendingToken"]?.string {
      guard let waiting = state.pending[name] else { return .refused("INVALID_PENDING_TOKEN") }
      token = waiting
    } else if let answer = body["sessionId"]?.string, !answer.isEmpty {
      // The result of a sign-in in a browser.
      let subject = body["requestUri"]?.string ?? ""
      token = ProviderToken(
        provider: Provider(form.providerID ?? ""), subject: subject, nonceHash: "", serial: 0)
    } else {
      guard let sent = form.idToken.flatMap(ProviderToken.init) else {
        return .refused("INVALID_IDP_RESPONSE : No token.")
      }
      let hash = form.nonce.map { GatehouseClient.Nonce(raw: $0).sha256 } ?? ""
      guard sent.nonceHash == hash else {
        return .refused("MISSING_OR_INVALID_NONCE : They differ.")
      }
      guard !state.usedTokens.contains(sent.text) else {
        return .refused("MISSING_OR_INVALID_NONCE : Duplicate credential received.")
      }
      token = sent
    }
    if let joins = state.wantsConsent, body["consent"] == nil, body["autoCreate"] == nil {
      return .ok([
        "errorMessage": "CONSENT_REQUIRED : The person has to agree.",
        "consentRequired": ["joins": .array(joins.map { .string($0) })],
        "pendingToken": .string(wait(token, &state)),
      ])
    }
    if let version = body["consent"]?["version"]?.string { state.consents.append(version) }
    return verified(token, body, &state, now)
  }

  private static func wait(_ token: ProviderToken, _ state: inout State) -> String {
    state.usedTokens.insert(token.text)
    let name = "pending-\(state.pending.count + 1)"
    state.pending[name] = token
    return name
  }

  private static func verified(
    _ token: ProviderToken, _ body: JSONObject, _ state: inout State, _ now: Date
  ) -> Reply {
    var isNew = false
    var index = state.accounts.firstIndex {
      $0.exists
        && $0.providers.contains { $0.provider == token.provider && $0.uid == token.subject }
    }
    if let idToken = body["idToken"]?.string {
      guard let own = holder(idToken, state) else { return .refused("INVALID_ID_TOKEN") }
      if index != nil {
        return .ok([
          "errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED",
          "pendingToken": .string(wait(token, &state)),
        ])
      }
      state.accounts[own].providers.append(
        LinkedProvider(provider: token.provider, uid: token.subject))
      index = own
    } else if index == nil {
      if body["autoCreate"]?.bool == false { return .refused("USER_NOT_FOUND") }
      if let providers = state.wantsConfirmation {
        return .ok([
          "providerId": .string(token.provider.rawValue), "needConfirmation": true,
          "email": "alice@example.com",
          "verifiedProvider": .array(providers.map { .string($0) }),
          "pendingToken": .string(wait(token, &state)),
        ])
      }
      if body["ifNew"] == "ask" {
        return .ok([
          "providerId": .string(token.provider.rawValue), "isNewUser": true,
          "email": "relay@example.com", "pendingToken": .string(wait(token, &state)),
        ])
      }
      var account = Account(uid: "new-\(state.accounts.count)", authenticatedAt: now)
      account.providers = [LinkedProvider(provider: token.provider, uid: token.subject)]
      state.accounts.append(account)
      index = state.accounts.count - 1
      isNew = true
    }
    guard let index else { return .refused("USER_NOT_FOUND") }
    if let refusal = state.accounts[index].refusal { return .refused(refusal) }
    // Like the real server, which answers every sign-in with a pending token.
    let pending = wait(token, &state)
    // A sign-in with the provider shows that the user consents again.
    for (number, provider) in state.accounts[index].providers.enumerated()
    where provider.provider == token.provider {
      state.accounts[index].providers[number].consentRevokedAt = nil
    }
    if body["idToken"] == nil {
      if !state.unconfirmed.contains(token.provider) {
        state.accounts[index].authenticatedAt = now
      }
      state.accounts[index].signInProvider = token.provider
    }
    var answer = tokens(&state, index, now)
    answer["providerId"] = .string(token.provider.rawValue)
    answer["pendingToken"] = .string(pending)
    if isNew { answer["isNewUser"] = true }
    return .ok(answer)
  }

  private static func password(_ body: JSONObject, _ state: inout State, _ now: Date) -> Reply {
    guard
      let index = state.accounts.firstIndex(where: { account in
        account.exists && account.password != nil
          && account.password == body["password"]?.string
          && account.providers.contains {
            $0.provider == .password && $0.uid == body["email"]?.string
          }
      })
    else { return .refused("INVALID_LOGIN_CREDENTIALS") }
    state.accounts[index].authenticatedAt = now
    state.accounts[index].signInProvider = .password
    return .ok(tokens(&state, index, now))
  }

  private static func signUp(_ state: inout State, _ now: Date) -> Reply {
    state.accounts.append(
      Account(uid: "anonymous-\(state.accounts.count)", authenticatedAt: now))
    return .ok(tokens(&state, state.accounts.count - 1, now))
  }

  // MARK: Tokens and profiles

  /// The account of the token.
  private static func holder(_ token: String?, _ state: State) -> Int? {
    guard let token else { return nil }
    let uid: String?
    if token.hasPrefix("refresh|") {
      uid = token.split(separator: "|").dropFirst().first.map(String.init)
    } else {
      uid = (try? IDToken(parsing: token))?.claims["sub"]?.string
    }
    return state.accounts.firstIndex { $0.uid == uid }
  }

  private static func tokens(_ state: inout State, _ index: Int, _ now: Date) -> JSONObject {
    state.serial += 1
    let account = state.accounts[index]
    let issued = Int64(now.timeIntervalSince1970)
    let claims: JSONObject = [
      "sub": .string(account.uid), "iat": .number(JSONNumber(issued)),
      "exp": .number(JSONNumber(issued + 3600)),
      "auth_time": .number(JSONNumber(Int64(account.authenticatedAt.timeIntervalSince1970))),
      "jti": .string("\(state.serial)"),
      "firebase": [
        "sign_in_provider": .string(account.signInProvider.rawValue), "identities": [:],
      ],
    ]
    let payload = Data(claims.serialized()).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
    return [
      "localId": .string(account.uid), "idToken": .string("e30.\(payload).c2ln"),
      "refreshToken": .string("refresh|\(account.uid)|\(state.serial)"), "expiresIn": "3600",
    ]
  }

  private static func shown(_ account: Account, _ now: Date) -> JSONObject {
    var shown: JSONObject = [
      "localId": .string(account.uid),
      "lastLoginAt": .string(String(Int64(now.timeIntervalSince1970) * 1000)),
      "providerUserInfo": .array(
        account.providers.map { provider in
          var info: JSONObject = [
            "providerId": .string(provider.provider.rawValue), "rawId": .string(provider.uid),
          ]
          if let name = provider.displayName { info["displayName"] = .string(name) }
          if let photo = provider.photoURL { info["photoUrl"] = .string(photo.absoluteString) }
          if provider.isRevokedOnDeletion == true { info["revokedOnDeletion"] = true }
          if let date = provider.consentRevokedAt {
            info["consentRevokedAt"] = .string(String(Int64(date.timeIntervalSince1970) * 1000))
          }
          return .object(info)
        }),
    ]
    if let name = account.displayName { shown["displayName"] = .string(name) }
    if let photo = account.photoURL { shown["photoUrl"] = .string(photo) }
    return shown
  }
}

extension AccountServer.Account {
  /// Also erases the name and the photo that came from the provider.
  fileprivate mutating func unlink(_ provider: Provider) {
    for identity in providers where identity.provider == provider {
      if identity.displayName == displayName { displayName = nil }
      if identity.photoURL?.absoluteString == photoURL { photoURL = nil }
    }
    providers.removeAll { $0.provider == provider }
  }
}

import Foundation
import GatehouseClient
import Synchronization

/// Apple's sheet, which the simulator answers for the person of the device.
final class AppleAtSimulator: AppleAuthorizing, PasswordOffering {
  struct State {
    var person: String
    var hidesEmail: Bool
    var cancels = false
    /// A saved password, which the person chooses.
    var password: (user: String, password: String)?
    var sheetCount = 0
  }

  private let state: Mutex<State>
  private let baseURL: String

  init(_ baseURL: String, person: String, hidesEmail: Bool) {
    self.baseURL = baseURL
    state = Mutex(State(person: person, hidesEmail: hidesEmail))
  }

  var sheetCount: Int { state.withLock(\.sheetCount) }
  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func authorize(_ request: AppleAuthorizationRequest)
    async throws(DeviceFault) -> AppleAuthorization
  {
    let (person, hidesEmail, cancels) = state.withLock { state in
      state.sheetCount += 1
      return (state.person, state.hidesEmail, state.cancels)
    }
    if cancels { throw .cancelled }
    let answer = try await call {
      try await HTTP.post(
        "\(baseURL)/apple/native-sign-in",
        .members([
          "client_id": SimulatedProviders.bundleID, "person": person, "nonce": request.nonce,
          "email": hidesEmail ? "hide" : "share", "state": request.state,
        ])
      ).json
    }
    guard let user = answer["user"].string else { throw .failed(detail: "no user") }
    let given = answer["fullName"]["givenName"].string
    return AppleAuthorization(
      user: user, identityToken: answer["identityToken"].string.map { Data($0.utf8) },
      authorizationCode: answer["authorizationCode"].string.map { Data($0.utf8) },
      fullName: given.map {
        GatehouseClient.PersonName(
          givenName: $0, familyName: answer["fullName"]["familyName"].string)
      }, email: answer["email"].string, state: answer["state"].string)
  }

  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState
  {
    let said = try await call {
      try await SimulatedProviders(baseURL: baseURL).appleCredentialState(user)
    }
    guard let state = said.flatMap(ProviderCredentialState.init) else {
      throw .unavailable(detail: "no state")
    }
    return state
  }

  func offer(_ apple: AppleAuthorizationRequest?) async throws(DeviceFault) -> OfferedCredential {
    if let chosen = state.withLock(\.password) {
      return .password(user: chosen.user, password: chosen.password)
    }
    guard let apple else { throw .unavailable(detail: "nothing saved") }
    return .apple(try await authorize(apple))
  }
}

/// The state that Google's SDK stores on a device.
final class KeptByGoogle: Sendable {
  struct Account {
    var user: String
    var refreshToken: String
  }

  let account = Mutex<Account?>(nil)
}

/// Google's SDK, with results from the simulator.
final class GoogleAtSimulator: GoogleSigningIn {
  let kept: KeptByGoogle
  private let baseURL: String
  private let person: String
  private let failures = Mutex(0)

  init(_ baseURL: String, person: String, kept: KeptByGoogle) {
    self.baseURL = baseURL
    self.person = person
    self.kept = kept
  }

  func failDisconnecting(times: Int) { failures.withLock { $0 = times } }

  func signIn(_ request: GoogleSignInRequest) async throws(DeviceFault) -> GoogleAuthorization {
    let answer = try await call {
      try await HTTP.post(
        "\(baseURL)/google/native-sign-in",
        .members([
          "client_id": SimulatedProviders.googleClientID, "person": person,
          "nonce": request.nonce,
        ])
      ).json
    }
    guard let idToken = answer["idToken"].string, let refresh = answer["refreshToken"].string,
      let user = JWTParts(idToken)?.claims["sub"].string
    else { throw .failed(detail: "no token") }
    kept.account.withLock { $0 = KeptByGoogle.Account(user: user, refreshToken: refresh) }
    return GoogleAuthorization(
      user: user, idToken: idToken, accessToken: answer["accessToken"].string)
  }

  /// Asks Google each time. The real implementation uses its cache for an hour.
  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState
  {
    guard let held = kept.account.withLock({ $0 }), held.user == user else { return .notFound }
    let reply = try await call {
      try await HTTP.post(
        "\(baseURL)/google/token",
        form: [
          "grant_type": "refresh_token", "refresh_token": held.refreshToken,
          "client_id": SimulatedProviders.googleClientID,
        ])
    }
    if reply.json["error"] == "invalid_grant" { return .revoked }
    guard reply.status == 200 else { throw .failed(detail: "status \(reply.status)") }
    return .authorized
  }

  func disconnect(userID user: String) async throws(DeviceFault) {
    let fails = failures.withLock { failures in
      defer { failures = max(0, failures - 1) }
      return failures > 0
    }
    if fails { throw .offline(detail: "as the test wants") }
    guard let held = kept.account.withLock({ $0 }), held.user == user else {
      throw .unavailable(detail: "nobody")
    }
    let reply = try await call {
      try await HTTP.post("\(baseURL)/google/revoke", form: ["token": held.refreshToken])
    }
    guard reply.status == 200 else { throw .failed(detail: "status \(reply.status)") }
    kept.account.withLock { $0 = nil }
  }

  func signOut() async { kept.account.withLock { $0 = nil } }
}

/// All errors on the way are reported as "offline".
private func call<Answer: Sendable>(_ body: () async throws -> Answer)
  async throws(DeviceFault) -> Answer
{
  do {
    return try await body()
  } catch {
    throw .offline(detail: "\(error)")
  }
}

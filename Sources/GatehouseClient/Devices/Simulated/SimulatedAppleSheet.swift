public import Foundation
import GatehouseProtocol

/// A stand-in for Apple's sheet: Gatehouse's simulator responds for ``person``.
///
/// For tests, and for `gatehouse serve --dev`. As at Apple, the name and the email address beside
/// the token come only with the first authorization.
public final class SimulatedAppleSheet: AppleAuthorizing, PasswordOffering {
  private let calls: SimulatorCalls
  private let bundleID: String
  private let shown = Locked<SimulatedPerson>(SimulatedPerson(""))
  private let turn = Turn()

  /// - Parameters:
  ///   - simulatorURL: Such as `http://127.0.0.1:9100`.
  ///   - bundleID: The app that the person authorizes.
  public init(
    simulatorURL: URL, bundleID: String, person: SimulatedPerson, transport: any Transport
  ) {
    calls = SimulatorCalls(simulatorURL, transport)
    self.bundleID = bundleID
    shown.withLock { $0 = person }
  }

  /// The person who uses the device, from the next sheet on.
  public var person: SimulatedPerson {
    get { shown.withLock { $0 } }
    set { shown.withLock { $0 = newValue } }
  }

  public func authorize(_ request: AppleAuthorizationRequest)
    async throws(DeviceFault) -> AppleAuthorization
  {
    try await turn.take(or: .busy) { () async throws(DeviceFault) in
      let person = person
      try await person.decide()
      return try await signIn(request, person)
    }
  }

  public func offer(_ apple: AppleAuthorizationRequest?)
    async throws(DeviceFault) -> OfferedCredential
  {
    try await turn.take(or: .busy) { () async throws(DeviceFault) in
      let person = person
      if apple == nil, person.savedPassword == nil {
        throw .unavailable(detail: "The device has no saved password")
      }
      try await person.decide()
      if let saved = person.savedPassword, person.prefersPassword || apple == nil {
        return .password(user: saved.user, password: saved.password)
      }
      guard let apple else { throw .unavailable(detail: "The device has no saved password") }
      return .apple(try await signIn(apple, person))
    }
  }

  public func credentialState(forUserID user: String)
    async throws(DeviceFault) -> ProviderCredentialState
  {
    let answer = try await calls.get(
      "/apple/credential-state", ["client_id": bundleID, "user": user])
    guard answer.status == 200,
      let state = answer.body["state"]?.string.flatMap(ProviderCredentialState.init)
    else { throw SimulatorCalls.fault(answer) }
    return state
  }

  private func signIn(_ request: AppleAuthorizationRequest, _ person: SimulatedPerson)
    async throws(DeviceFault) -> AppleAuthorization
  {
    let scopes = request.scopes.map { $0 == .fullName ? "name" : "email" }.sorted()
    var body: JSONObject = [
      "client_id": .string(bundleID), "person": .string(person.id),
      "email": .string(person.hidesEmail ? "hide" : "share"), "nonce": .string(request.nonce),
      "scopes": .array(scopes.map { .string($0) }),
    ]
    if let state = request.state { body["state"] = .string(state) }
    let answer = try await calls.post("/apple/native-sign-in", body)
    guard answer.status == 200, let user = answer.body["user"]?.string else {
      throw SimulatorCalls.fault(answer)
    }
    let name = PersonName(
      givenName: answer.body["fullName"]?["givenName"]?.string,
      familyName: answer.body["fullName"]?["familyName"]?.string)
    return AppleAuthorization(
      user: user, identityToken: answer.body["identityToken"]?.string.map { Data($0.utf8) },
      authorizationCode: answer.body["authorizationCode"]?.string.map { Data($0.utf8) },
      fullName: name.isEmpty ? nil : name, email: answer.body["email"]?.string,
      realUserStatus: answer.body["realUserStatus"]?.int64.flatMap {
        RealUserStatus(rawValue: Int(clamping: $0))
      } ?? .unsupported,
      state: answer.body["state"]?.string)
  }
}

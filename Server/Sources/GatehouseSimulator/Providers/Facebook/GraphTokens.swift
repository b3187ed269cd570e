import Crypto
import Foundation

extension FacebookRoutes {
  /// `GET /facebook/graph/debug_token?input_token=&access_token=` (Meta, "Debugging access
  /// tokens"). `access_token` is the app's, `<app id>|<app secret>`.
  func debugToken(_ form: RequestForm) throws -> JSONValue {
    let appID = try authenticateApp(form)
    let token = try form.require("input_token")
    let now = store.now
    let (issued, fault) = store.withState { state in
      let issued = state.tokens[Identifier(token)].flatMap {
        $0.grant.provider == .facebook ? $0 : nil
      }
      return (issued, issued.flatMap { state.graphFault(of: $0, now: now) })
    }
    guard let issued else {
      return [
        "data": [
          "error": .object(GraphError.invalidToken.tokenMembers), "is_valid": false,
          "scopes": .array([]),
        ]
      ]
    }
    guard issued.grant.clientID.isSame(as: appID) else {
      throw GraphError(
        100, "(#100) The App_id in the input_token did not match the Viewing App")
    }
    return ["data": .object(description(of: issued, fault))]
  }

  private func description(
    of issued: IssuedToken, _ fault: GraphError?
  ) -> [String: JSONValue] {
    let grant = issued.grant
    func seconds(_ date: Date) -> JSONValue { .integer(Int(date.timeIntervalSince1970)) }
    var data: [String: JSONValue] = [
      "app_id": .string(grant.clientID),
      "application": "Simulated app",
      "type": "USER",
      "issued_at": seconds(issued.issuedAt),
      "expires_at": issued.expiresAt.map(seconds) ?? 0,
      "data_access_expires_at": seconds(issued.issuedAt.addingTimeInterval(7_776_000)),
      "is_valid": .bool(fault == nil),
      "scopes": .strings(FacebookClaims.permissions(of: grant.scopes)),
      "user_id": .string(FacebookClaims.userID(of: grant.personID, app: grant.clientID)),
    ]
    if let fault { data["error"] = .object(fault.tokenMembers) }
    return data
  }

  /// - Returns: The app whose token the request carries.
  /// - Throws: ``GraphError`` if there is no app token, or if its secret isn't the registered one.
  func authenticateApp(_ form: RequestForm) throws(GraphError) -> String {
    guard let token = form.filled("access_token") else { throw .missingToken }
    let parts = token.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .invalidToken }
    let appID = String(parts[0])
    let secret = store.withState { $0.clients[.facebook, appID]?.clientSecret }
    guard secret.map({ $0.isSameSecret(as: String(parts[1])) }) ?? true else {
      throw GraphError(190, "Invalid OAuth access token signature.")
    }
    return appID
  }

  /// The grant and the person of the request's token. Checks `appsecret_proof` if the request has
  /// one and the app has a secret: the HMAC-SHA-256 of the token under the app's secret, in
  /// hexadecimal (Meta, "Securing Graph API requests").
  func person(_ form: RequestForm) throws(GraphError) -> (grant: Grant, person: Person) {
    guard let token = form.filled("access_token") else { throw .missingToken }
    let now = store.now
    let (issued, fault, standing, secret) = store.withState { state in
      let issued = state.tokens[Identifier(token)].flatMap {
        $0.grant.provider == .facebook ? $0 : nil
      }
      return (
        issued, issued.flatMap { state.graphFault(of: $0, now: now) },
        issued.flatMap { state.standingConsent(of: $0.grant)?.person },
        issued.flatMap { state.clients[.facebook, $0.grant.clientID]?.clientSecret }
      )
    }
    guard let issued else { throw .invalidToken }
    if let fault { throw fault }
    guard let standing else { throw .withdrawn }
    if let proof = form.filled("appsecret_proof"), let secret {
      let code = HMAC<SHA256>.authenticationCode(
        for: Data(token.utf8), using: SymmetricKey(data: Data(secret.utf8)))
      guard proof.isSameSecret(as: Hex.text(code)) else {
        throw GraphError(100, "Invalid appsecret_proof provided in the API argument")
      }
    }
    return (issued.grant, standing)
  }
}

extension SimulatorState {
  /// The error for an invalid access token; nil if it is valid.
  fileprivate func graphFault(of issued: IssuedToken, now: Date) -> GraphError? {
    if let expiresAt = issued.expiresAt, expiresAt <= now { return .expiredToken }
    return standingConsent(of: issued.grant) == nil ? .withdrawn : nil
  }
}

import GatehouseProtocol
import Synchronization

/// v2's `accounts:revokeToken`: revokes the app's tokens at the provider.
///
/// If the app sends an authorization code, the server first exchanges it for tokens. Then it revokes
/// the refresh token, or the access token if there is no refresh token. If the exchange also returns
/// the user's identity, the caller's session counts as a recent sign-in for the deletion of the account. So an
/// app can revoke the tokens and then delete the account, however old the session is.
///
/// If the code came with an earlier sign-in of the account, the server has exchanged it already, or
/// is exchanging it. Then it revokes the resulting token, and the session doesn't count as recent.
///
/// A client that lost the response may repeat the request when the first one has ended, at any server of the
/// database: for an hour, a code or kept token whose revocation succeeded gets the same response. If the
/// revocation of a code's token failed, the outbox goes on with it, and a repeated request tries it at once.
struct RevokeToken: Endpoint {
  let services: APIServices
  private let requests = RevocationsInProgress()

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    [.client(.post, "v2/accounts:revokeToken", "revokeToken", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(RevokeTokenRequest.self)
    let project = try call.requireProject()
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let user = try await services.accounts.currentUser(
      ofIDToken: idToken, in: project, now: call.now)
    guard let providerID = request.providerID else {
      throw APIError.refused(.missingProviderID)
    }
    guard let token = request.token else { throw APIError.refused(.missingToken) }
    guard let kind = request.kind else { throw APIError.refused(.invalidTokenType) }
    let provider = try await services.configuration(providerID, in: project)
    let uid = user.account.uid
    let revocation = ProviderRevocation(
      services: services,
      request: RevocationRequest(of: token, kind.token, at: provider.id, by: uid),
      idToken: idToken, provider: provider, project: project, now: call.now)
    try await requests.alone(with: .init(project: project.id, request: revocation.request)) {
      guard try await !revocation.isCompleted() else { return }
      try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
      if let kind = kind.token {
        try await revocation.revoke(Secret(token), kind)
      } else {
        try await revocation.revoke(code: token, redirectURI: request.redirectURI)
      }
    }
    return Answer(EmptyResponse())
  }
}

extension RevokeTokenRequest.Kind {
  /// Nil for a code.
  fileprivate var token: RevocableToken? {
    switch self {
    case .refreshToken: .refresh
    case .accessToken: .access
    case .code: nil
    }
  }
}

/// The requests to revoke a token or code that this server is executing.
///
/// A client that loses its connection may repeat the request before the first one has ended. A code
/// works only once, so the second request waits for the first.
final class RevocationsInProgress: Sendable {
  struct Use: Hashable, Sendable {
    let project: ProjectID
    let request: RevocationRequest
  }

  private let uses = Mutex<Set<Use>>([])

  /// Runs `body` when no other request is the same, or after fifteen seconds.
  func alone<Result: Sendable>(
    with use: Use, _ body: () async throws -> Result
  ) async throws -> Result {
    let isOurs = try await Polling.first { begin(use) ? true : nil } ?? false
    defer { if isOurs { end(use) } }
    return try await body()
  }

  private func begin(_ use: Use) -> Bool { uses.withLock { $0.insert(use).inserted } }
  private func end(_ use: Use) { _ = uses.withLock { $0.remove(use) } }
}

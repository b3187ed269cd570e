import Foundation
import GatehouseClient
import GatehouseProtocol

/// A server with a few accounts, small enough to be read next to the tests. It checks the nonce of
/// a provider's token, accepts a token once, and requires a recent sign-in for a deletion and for
/// unlinking.
final class AccountServer: Transport {
  struct Account {
    var uid: String
    var providers: [LinkedProvider] = []
    var password: String?
    var displayName: String?
    var photoURL: String?
    /// The sign-in of the current session; a token keeps the values from when it was created.
    var authenticatedAt: Date
    var signInProvider: Provider = .anonymous
    var exists = true
    /// The error that ends every session, such as `USER_DISABLED`.
    var refusal: String?
    /// When the account is erased, if its user has deleted it. Its sessions have ended.
    var scheduledFor: Date?
  }

  enum Failure: Sendable {
    /// The request didn't arrive.
    case offline
    /// The request was carried out, and the answer didn't arrive.
    case answerLost
    case refusal(String)
  }

  struct State {
    var accounts: [Account] = []
    var pending: [String: ProviderToken] = [:]
    var usedTokens: Set<String> = []
    var usedCodes: Set<String> = []
    var failures: [String: [Failure]] = [:]
    var wantsConsent: [String]?
    /// A new identity has the email address of an account with these ways to sign in.
    var wantsConfirmation: [String]?
    var consents: [String] = []
    /// Providers whose identities were linked in an old session: signing in with them makes no
    /// session recent.
    var unconfirmed: Set<Provider> = []
    /// The project's policy plus skew. Seconds.
    var recentSignInSeconds = 300.0
    /// The project's grace period for deletions.
    var graceSeconds = 0.0
    var serial = 0
    var requestCount = 0
    var fields: [(endpoint: String, body: JSONObject)] = []
  }

  let state = Locked(State())
  private let clock: ManualClock
  /// How far the device's clock is behind. Seconds.
  private let aheadOfDevice: Double
  private let journal: Journal

  init(_ journal: Journal, clock: ManualClock, aheadOfDevice: Double = 0) {
    self.journal = journal
    self.clock = clock
    self.aheadOfDevice = aheadOfDevice
  }

  var now: Date { clock.now.addingTimeInterval(aheadOfDevice) }
  var requestCount: Int { state.withLock(\.requestCount) }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// The next requests to `endpoint` (`delete`, `revoke`, `token`, …) fail with these, one after
  /// another.
  func fail(_ endpoint: String, _ failures: Failure...) {
    set { $0.failures[endpoint] = failures }
  }

  func account(_ uid: String = "alice") -> Account? {
    state.withLock { $0.accounts.first { $0.uid == uid } }
  }

  /// The provider reports that alice withdrew consent; nil if she consented again.
  func withdraw(_ provider: Provider, at date: Date?) {
    set { state in
      for index in state.accounts[0].providers.indices
      where state.accounts[0].providers[index].provider == provider {
        state.accounts[0].providers[index].consentRevokedAt = date
      }
    }
  }

  /// The bodies that were sent to `endpoint`.
  func bodies(_ endpoint: String) -> [JSONObject] {
    state.withLock { $0.fields.filter { $0.endpoint == endpoint }.map(\.body) }
  }

  func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
    let body =
      (try? JSONObject(parsing: [UInt8](request.body ?? Data()))) ?? JSONObject()
    let endpoint = Self.endpoint(request.url.path, body)
    let now = now
    journal.note(endpoint.entry)
    let answer: Result<Reply, TransportFault> = state.withLock { state in
      state.requestCount += 1
      state.fields.append((endpoint.name, body))
      let failure =
        state.failures[endpoint.name]?.isEmpty == false
        ? state.failures[endpoint.name]?.removeFirst() : nil
      switch failure {
      case .offline?: return .failure(Self.fault(.offline))
      case .refusal(let message)?: return .success(.refused(message))
      case .answerLost?:
        _ = Self.answer(endpoint.name, body, &state, now)
        // A kind that isn't retried automatically.
        return .failure(Self.fault(.other))
      case nil: return .success(Self.answer(endpoint.name, body, &state, now))
      }
    }
    var response = try answer.get().response
    response.headers["date"] = Self.header(now)
    return response
  }

  private static func fault(_ kind: NetworkFault.Kind) -> TransportFault {
    .network(NetworkFault(kind, detail: "scripted"))
  }

  /// The endpoint's name for the tests, and its entry in the journal.
  private static func endpoint(_ path: String, _ body: JSONObject) -> (name: String, entry: String)
  {
    let method = path.split(separator: ":").last.map(String.init) ?? path
    switch method {
    case "signInWithIdp":
      let provider = PostBody(postBody: body["postBody"]?.string, requestURI: nil).providerID ?? "?"
      if body["idToken"] != nil { return ("link", "link \(provider)") }
      if body["autoCreate"]?.bool == false {
        return ("reauthenticate", "reauthenticate \(provider)")
      }
      return ("signIn", "sign in \(provider)")
    case "signInWithPassword": return ("password", "password")
    case "revokeToken": return ("revoke", "revoke \(body["token"]?.string ?? "?")")
    case "lookup", "delete", "update", "signUp": return (method, method)
    default: return path.hasSuffix("/token") ? ("token", "token") : (path, path)
    }
  }

  private static func header(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: date)
  }
}

import Foundation
import GatehouseClient
import GatehouseJSON
import GatehouseWire
import Synchronization

/// A server of a few accounts, small enough to be read beside the tests. It holds providers' tokens
/// to their nonce and to one use, and a deletion to a recent sign-in.
final class AccountServer: Transport {
  struct Account {
    var uid: String
    var providers: [LinkedProvider] = []
    var password: String?
    var displayName: String?
    var photoURL: String?
    /// Of the session; a token says what it was when it was made.
    var authenticatedAt: Date
    var signInProvider: Provider = .anonymous
    var exists = true
    /// What ends every session: `USER_DISABLED`.
    var refusal: String?
  }

  enum Failure: Sendable {
    /// Nothing arrived.
    case offline
    /// It was done, and the answer didn't arrive.
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
    /// Who is new has the email address of an account that is entered by these.
    var wantsConfirmation: [String]?
    var consents: [String] = []
    /// Project policy plus skew. Seconds.
    var recentSignInSeconds = 360.0
    var serial = 0
    var requestCount = 0
    var fields: [(endpoint: String, body: JSONObject)] = []
  }

  let state = Mutex(State())
  private let clock: ManualClock
  /// The device's clock is behind by so much. Seconds.
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

  /// The next requests to `endpoint` (`delete`, `revoke`, `token`, …) fail so, one after another.
  func fail(_ endpoint: String, _ failures: Failure...) {
    set { $0.failures[endpoint] = failures }
  }

  func account(_ uid: String = "alice") -> Account? {
    state.withLock { $0.accounts.first { $0.uid == uid } }
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
        // Not a kind that is tried again by itself.
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

  /// What the tests call it, and what the journal says.
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

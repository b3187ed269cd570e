import GatehouseAccounts
import HTTPTypes

/// One method on one path: who may call it and what answers.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// As ``RequestPath/pattern`` has it.
  let pattern: String
  /// The name in metrics and logs: of a fixed set, whatever the path was.
  let name: String
  let access: Access
  /// What an administrator needs at least who calls it.
  var role: AdministratorRole = .admin
  let envelope: Envelope
  /// What the body may have where that is more than the server's limit, of an administrator who is
  /// established before it is read.
  var bodyBytes: Int? = nil
  /// Whether other pages may hold it in a frame: the answer's own policy says which.
  var isFramed = false
  let handle: @Sendable (Call) async throws -> Answer

  enum Access: Sendable {
    /// Public: keys, discovery, health.
    case anyone
    /// A client by its API key, or an administrator.
    case client
    /// The same, or somebody with neither whose request holds an assertion that proves who asks.
    case clientOrAssertion
    /// An administrator of the project that the path names.
    case administrator
    /// The emulator's control endpoints: without a credential, in `--dev` alone.
    case development
  }

  /// How errors are dressed: see ``ErrorMapping``.
  enum Envelope: Sendable {
    case identityToolkit, secureToken
    /// For people: what a browser shows. A body is a form.
    case page
  }

  /// Whether a web page of another origin may call it.
  var isForBrowsers: Bool {
    // Browsers go there, and no script of another site has to read it.
    if case .page = envelope { return true }
    return switch access {
    case .anyone, .client, .clientOrAssertion: true
    case .administrator, .development: false
    }
  }
}

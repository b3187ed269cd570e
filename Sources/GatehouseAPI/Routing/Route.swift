import GatehouseAccounts
import HTTPTypes

/// One method on one path: who may call it, and which function answers.
struct Route: Sendable {
  let method: HTTPRequest.Method
  /// In the form of ``RequestPath/pattern``.
  let pattern: String
  /// The name in metrics and logs, from a fixed set.
  let name: String
  let access: Access
  /// The role that an administrator who calls it needs at least.
  var role: AdministratorRole = .admin
  let envelope: Envelope
  /// A limit for the body above the server's own limit. It requires an administrator, who is
  /// identified before the body is read.
  var bodyBytes: Int? = nil
  /// Whether pages may contain it in a frame. The answer's own policy says which pages may.
  var isFramed = false
  let handle: @Sendable (Call) async throws -> Answer

  enum Access: Sendable {
    /// Public: keys, discovery, health.
    case anyone
    /// A client by its API key, or an administrator.
    case client
    /// Like `client`, or a caller without either whose request contains an assertion that
    /// authenticates it.
    case clientOrAssertion
    /// An administrator of the project that the path names.
    case administrator
    /// The emulator's control endpoints: without a credential, only in `--dev`.
    case development
  }

  /// The format of errors: see ``ErrorMapping``.
  enum Envelope: Sendable {
    case identityToolkit, secureToken
    /// A page for users, shown in a browser. The body is a form.
    case page
  }

  /// Whether a web page of another origin may call it.
  var isForBrowsers: Bool {
    // Browsers navigate there; scripts of other sites don't have to read it.
    if case .page = envelope { return true }
    return switch access {
    case .anyone, .client, .clientOrAssertion: true
    case .administrator, .development: false
    }
  }
}

package import GatehouseProtocol
import HTTPTypes

/// The configuration of the API.
package struct APIConfiguration: Sendable {
  package var mode: Mode
  private let readPublicURL: @Sendable () -> String
  package var limits = Limits()
  /// The proxies that are trusted to report a client's address.
  package var proxies = TrustedProxies()
  package var logsRequests = false
  package var clientAddresses = ClientAddressForm.none
  /// The text that Apple gave the operator to publish: see ``AppleDomainVerification``.
  package var appleDomainAssociation: String?
  /// What the page at `/` links to.
  package var links: [PageLink] = []
  /// Whether `/console` exists.
  package var hasConsole = true
  /// Whether every caller is the operator of this machine, as with ``LocalAdministration``. The operator may name
  /// programs on this machine, also with plain http. An administrator on another machine must not reach them.
  package var isForOperator = false

  package enum Mode: Sendable {
    case production
    case development(Development)
  }

  /// `--dev`: a drop-in for the emulator.
  package struct Development: Sendable {
    /// The project of an administrator's request that names none.
    package var defaultProject: ProjectID
    /// Values of `Host` that are accepted in addition to loopback names.
    package var allowedHosts: [String]
    /// The URL of the simulator that runs with the server; nil without one.
    package var simulatorURL: String?
    /// The administrator's token of a caller on another machine, who can't use `owner`; nil if no other machine
    /// can connect.
    package var networkToken: Secret<String>?

    package init(
      defaultProject: ProjectID, allowedHosts: [String] = [], simulatorURL: String? = nil,
      networkToken: Secret<String>? = nil
    ) {
      self.defaultProject = defaultProject
      self.allowedHosts = allowedHosts
      self.simulatorURL = simulatorURL
      self.networkToken = networkToken
    }
  }

  package struct Limits: Sendable {
    /// The longest request body, in bytes. Longer bodies are rejected, except on a route that
    /// allows more to an administrator.
    package var bodyBytes = 1 << 20
    /// The longest time in which a body may arrive, in seconds. Slower bodies are rejected. An idle
    /// connection is closed by the server's own timeout.
    package var bodySeconds = 20

    package init() {}
  }

  /// - Parameter publicURL: Evaluated at each use: a server that listens on a free port learns its
  ///   own URL only after it has started.
  package init(mode: Mode, publicURL: @escaping @autoclosure @Sendable () -> String) {
    self.mode = mode
    readPublicURL = publicURL
  }

  /// The URL at which clients reach this server, without a trailing slash:
  /// `https://auth.example.com`. The key set's URL in discovery documents begins with it; no
  /// request header changes it.
  package var publicURL: String {
    let url = readPublicURL()
    return url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url
  }

  /// The path of the public URL, if it has one: `/auth` of `https://example.com/auth`. A proxy
  /// removes it from requests, so only URLs that the server sends out contain it.
  var pathPrefix: String { Self.path(of: publicURL) }

  /// Empty for a URL without a path.
  static func path(of url: String) -> String {
    guard let authority = url.firstRange(of: "://")?.upperBound,
      let slash = url[authority...].utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return "" }
    return String(url[slash...])
  }

  var development: Development? {
    if case .development(let development) = mode { development } else { nil }
  }

  /// Whether a request may use what `--dev` gives to everyone on this machine: it comes from there, and not through a
  /// proxy on it, or no other machine can connect.
  func isDevelopers(_ peer: IPAddress?, _ headers: HTTPFields) -> Bool {
    guard let development else { return false }
    guard development.networkToken != nil else { return true }
    guard let peer, proxies.address(of: peer, headers)?.reach == .loopback else { return false }
    let isForwarded = [.xForwardedFor, .forwarded, .via].contains { headers.contains($0) }
    // A trusted proxy has named the client. Another one isn't known to be truthful.
    return proxies.contains(peer) == isForwarded
  }

  /// Whether a setting may name an address of this machine, also with plain http.
  var allowsLoopback: Bool { isForOperator || development != nil }
}

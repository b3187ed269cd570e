package import GatehouseModel

/// What the API needs to know of the server it is in.
package struct APIConfiguration: Sendable {
  package var mode: Mode
  private let readPublicURL: @Sendable () -> String
  package var limits = Limits()
  /// Whose word on a client's address is taken.
  package var proxies = TrustedProxies()
  /// What Apple gave the operator to publish: see ``AppleDomainVerification``.
  package var appleDomainAssociation: String?

  package enum Mode: Sendable {
    case production
    case development(Development)
  }

  /// `--dev`: a drop-in for the emulator, on loopback.
  package struct Development: Sendable {
    /// What an administrator's call means that names no project.
    package var defaultProject: ProjectID
    /// Values of `Host` that are accepted beside loopback's.
    package var allowedHosts: [String]
    /// Where the simulator runs beside the server; nil without one.
    package var simulatorURL: String?

    package init(
      defaultProject: ProjectID, allowedHosts: [String] = [], simulatorURL: String? = nil
    ) {
      self.defaultProject = defaultProject
      self.allowedHosts = allowedHosts
      self.simulatorURL = simulatorURL
    }
  }

  package struct Limits: Sendable {
    /// A longer body is refused, in bytes.
    package var bodyBytes = 1 << 20
    /// A body that takes longer to arrive is refused, in seconds. An idle connection is closed by
    /// the server's own timeout.
    package var bodySeconds = 20

    package init() {}
  }

  /// - Parameter publicURL: Read at each use: a server that takes a free port learns its own late.
  package init(mode: Mode, publicURL: @escaping @autoclosure @Sendable () -> String) {
    self.mode = mode
    readPublicURL = publicURL
  }

  /// Where clients reach this server, without a trailing slash: `https://auth.example.com`. The key
  /// set's address in discovery documents begins with it; no request header changes it.
  package var publicURL: String {
    let url = readPublicURL()
    return url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url
  }

  /// The path of the public URL, where it has one: `/auth` of `https://example.com/auth`. A proxy takes
  /// it off before requests come here, so only what goes out has it.
  var pathPrefix: String { Self.path(of: publicURL) }

  /// Empty for a URL that ends with its host.
  static func path(of url: String) -> String {
    guard let authority = url.firstRange(of: "://")?.upperBound,
      let slash = url[authority...].utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return "" }
    return String(url[slash...])
  }

  var development: Development? {
    if case .development(let development) = mode { development } else { nil }
  }
}

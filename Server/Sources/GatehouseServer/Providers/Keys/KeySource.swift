import GatehouseProtocol

/// The source of a provider's keys. It is configured or pinned, and never comes from a token.
///
/// Projects share the cached keys of a pinned source, and its request in flight. A source that a project
/// configured is the project's own: so a project that configures another place for an issuer's document,
/// or whose calls are refused because it makes too many, has no effect on other projects.
struct KeySource: ByteExact {
  enum Origin: Sendable {
    case keys(OutboundURL)
    /// The key set that the discovery document of this issuer names.
    case discovery(Discovery)
  }

  let text: String
  let origin: Origin
  /// The project whose calls the fetches are; nil for a pinned source.
  let project: ProjectID?

  init(keys: OutboundURL) {
    text = "keys " + keys.text
    origin = .keys(keys)
    project = nil
  }

  init(_ discovery: Discovery, of project: ProjectID?) {
    text =
      "issuer \(discovery.issuer)" + (discovery.configuredURL.map { " at \($0)" } ?? "")
      + (project.map { " in \($0)" } ?? "")
    origin = .discovery(discovery)
    self.project = project
  }
}

/// An issuer, and where its discovery document is.
struct Discovery: Sendable {
  let issuer: String
  /// Nil if the place follows from the issuer.
  let configuredURL: String?

  init(issuer: String, configuredURL: String? = nil) {
    self.issuer = issuer
    self.configuredURL = configuredURL
  }

  /// The document's URL (OpenID Connect Discovery §4): "any terminating / MUST be removed before
  /// appending /.well-known/openid-configuration".
  var url: OutboundURL? {
    if let configuredURL { return OutboundURL(configuredURL) }
    return OutboundURL(base: issuer, path: "/.well-known/openid-configuration")
  }
}

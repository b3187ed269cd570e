import GatehouseProtocol

/// Creates the links that contain action codes: `/__/auth/action` below the public URL or on the
/// domain that the request names, the emulator's `/emulator/action` in `--dev`, or the project's
/// own page; see `CallbackURI`.
struct ActionLinks: Sendable {
  let services: APIServices
  let configuration: APIConfiguration

  /// - Parameter settings: The checked parts of the link that the request chose.
  func maker(
    for call: Call, _ settings: ActionLinkSettings = ActionLinkSettings()
  ) async throws -> CodeLink {
    let owner = try call.requireProject()
    let project = owner.id
    var apiKey = call.apiKey
    if apiKey == nil { apiKey = try await services.projects.apiKeys(of: project).first?.text }
    let start = start(settings, callbackURI: owner.policies.callbackURI)
    let standard = owner.policies.email.language
    // If any API key is accepted, the key doesn't identify this project.
    let isNamed =
      apiKey == nil && configuration.development.map { $0.defaultProject != project } ?? false
    let key = apiKey ?? anyKey
    let builder = { (start: String) -> CodeLink.Builder in
      { purpose, code, language in
        let query = Query {
          $0.add("mode", purpose.mode)
          $0.add("oobCode", code)
          $0.add("apiKey", key)
          if isNamed { $0.add("projectId", project.text) }
          $0.add("continueUrl", settings.continueURL)
          // In production it is the link's host.
          if configuration.development != nil { $0.add("linkDomain", settings.linkDomain) }
          $0.add("lang", language ?? (standard.isEmpty ? "en" : standard))
          for (name, value) in settings.app { $0.add(name, value) }
        }
        let separator = start.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return "\(start)\(separator)\(query.text)"
      }
    }
    // The emulator's link returns JSON. So the emails of `--dev` contain the link of the page.
    let mailed =
      start.hasSuffix(Self.emulatorPath) ? configuration.publicURL + Self.pagePath : start
    return CodeLink(language: call.language, mailed: builder(mailed), builder(start))
  }

  private static let emulatorPath = "/emulator/action"
  private static let pagePath = "/__/auth/action"

  /// Outside `--dev`, the link's domain, which a request names, takes precedence over the project's
  /// own page: the apps that open the link are associated with the domain.
  private func start(_ settings: ActionLinkSettings, callbackURI: String) -> String {
    // The command line accepts http on this machine, for `--dev`.
    let isOwn =
      CallbackURI.isSecure(callbackURI)
      ? settings.linkDomain == nil || configuration.development != nil
      : !callbackURI.isEmpty && configuration.development != nil
    if isOwn { return callbackURI }
    guard configuration.development == nil else {
      return configuration.publicURL + Self.emulatorPath
    }
    let site = settings.linkDomain.map { "https://\($0)" } ?? configuration.publicURL
    return site + Self.pagePath
  }

  private var anyKey: String? { configuration.development == nil ? nil : "any-key" }
}

extension ActionCode.Purpose {
  /// The value of `mode` in the link.
  var mode: String {
    switch self {
    case .passwordReset: "resetPassword"
    case .emailVerification: "verifyEmail"
    case .emailSignIn: "signIn"
    case .emailChange: "verifyAndChangeEmail"
    case .emailRecovery: "recoverEmail"
    }
  }
}

/// A query (RFC 3986 §3.4) of percent-encoded names and values.
struct Query {
  private(set) var text = ""

  init(_ build: (inout Query) -> Void) { build(&self) }

  /// Adds nothing for a nil value.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    if !text.isEmpty { text += "&" }
    text += "\(FormEncoding.escaped(name))=\(FormEncoding.escaped(value))"
  }
}

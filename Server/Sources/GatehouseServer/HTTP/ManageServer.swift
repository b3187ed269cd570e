package import GatehouseProtocol

/// What only the program knows in which the API runs: its settings, its machine, its mail server.
package struct ServerHost: Sendable {
  package var version: String
  package var commit: String?
  /// Every setting with its value and where that was given. No secret.
  package var settings: [Setting]
  /// The checks of `gatehouse doctor`.
  package var examine: @Sendable () async -> [Finding]
  /// The checks of `gatehouse doctor mail`. Sends a test email if there is a recipient.
  package var examineMail: @Sendable (MailExaminationRequest) async -> [Finding]

  package struct Setting: Sendable {
    package var key: String
    package var value: String
    /// `default`, or what gave it: a flag, a variable, a file.
    package var origin: String
    /// The default.
    package var standard: String
    /// How a value is written, with its unit.
    package var form: String
    package var meaning: String

    package init(
      key: String, value: String, origin: String, standard: String, form: String, meaning: String
    ) {
      self.key = key
      self.value = value
      self.origin = origin
      self.standard = standard
      self.form = form
      self.meaning = meaning
    }
  }

  package init(
    version: String, commit: String?, settings: [Setting],
    examine: @escaping @Sendable () async -> [Finding],
    examineMail: @escaping @Sendable (MailExaminationRequest) async -> [Finding]
  ) {
    self.version = version
    self.commit = commit
    self.settings = settings
    self.examine = examine
    self.examineMail = examineMail
  }
}

/// What to check of the mail settings.
package struct MailExaminationRequest: WireRequest {
  /// Who gets a test email. Nil: none is sent.
  package var recipient: String?
  /// The names of the DKIM keys.
  package var selectors: [String]
  /// Whether the sender's domain is checked, too.
  package var checksDomain: Bool

  static let knownMembers = KnownMembers(["to", "dkimSelectors", "checkDomain"])

  package init(recipient: String? = nil, selectors: [String] = [], checksDomain: Bool = true) {
    self.recipient = recipient
    self.selectors = selectors
    self.checksDomain = checksDomain
  }

  package init(_ fields: WireFields) throws(WireError) {
    recipient = try fields.nonEmptyString("to")
    selectors = fields.contains("dkimSelectors") ? try fields.strings("dkimSelectors") : []
    checksDomain = try fields.bool("checkDomain") ?? true
  }
}

/// `v2/server/…`: the server itself.
struct ManageServer: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      .server(.get, "v2/server/version", "server.version", role: .viewer, version),
      .server(.get, "v2/server/settings", "server.settings", role: .administrator, settings),
      .server(.post, "v2/server/doctor", "server.doctor", role: .administrator, doctor),
      .server(.post, "v2/server/mail:test", "server.testMail", role: .administrator, testMail),
    ]
  }

  private static let maximumSelectors = 10

  private func host() throws(APIError) -> ServerHost {
    guard let host = services.host else { throw .notFound("Only a running server has this.") }
    return host
  }

  func version(_ call: Call) throws -> Answer {
    Answer(VersionResponse(host: try host(), configuration: configuration))
  }

  func settings(_ call: Call) throws -> Answer {
    Answer(ListResponse("settings", try host().settings.map { SettingResource(setting: $0) }))
  }

  func doctor(_ call: Call) async throws -> Answer {
    Answer(FindingsResponse(try await host().examine()))
  }

  /// Checks the mail server and the sender's domain, and sends a test email if the request has a recipient.
  func testMail(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(MailExaminationRequest.knownMembers)
    let request = try call.request(MailExaminationRequest.self)
    if let recipient = request.recipient, EmailAddress(recipient) == nil {
      throw APIError.invalidArgument("to is not an email address.")
    }
    guard request.selectors.count <= Self.maximumSelectors else {
      throw APIError.invalidArgument(
        "dkimSelectors holds at most \(Self.maximumSelectors) names.")
    }
    return Answer(FindingsResponse(try await host().examineMail(request)))
  }
}

private struct VersionResponse: WireResponse {
  let host: ServerHost
  let configuration: APIConfiguration

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("version", host.version)
    writer.member("commit", ifPresent: host.commit)
    writer.member("mode", configuration.development == nil ? "production" : "development")
    writer.member("publicUrl", configuration.publicURL)
  }
}

private struct SettingResource: WireResponse {
  let setting: ServerHost.Setting

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("key", setting.key)
    writer.member("value", setting.value)
    writer.member("from", setting.origin)
    writer.member("default", setting.standard)
    writer.member("form", setting.form)
    writer.member("meaning", setting.meaning)
  }
}

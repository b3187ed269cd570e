import GatehouseProtocol
import HTTPTypes

/// `/` in `--dev`: the page on which a newcomer signs in, and sees the calls. A client that doesn't ask for
/// HTML gets the emulator's JSON, with which tools find out that the server is ready.
///
/// It is a normal client: its scripts send the same calls as an app, with any API key and without
/// an administrator's token. It runs on the server's own origin. In `--dev` pages of this origin
/// may administer the server, so only the files of ``WelcomeFile`` may run here.
struct WelcomePage: Endpoint {
  let services: APIServices
  let development: APIConfiguration.Development

  var routes: [Route] {
    let route = { (pattern: String, handle: @escaping Route.Handler) in
      Route(
        method: .get, pattern: pattern, name: "welcome", access: .development, envelope: .page,
        handle: handle)
    }
    return [route("/") { try await answer($0) }]
      + WelcomeFile.all.map { file in
        route(WelcomeFile.folder + file.name) { _ in file.answer }
      }
  }

  /// `--dev` accepts any key; this one says so.
  private static let apiKey = "any-key"

  func answer(_ call: Call) async throws -> Answer {
    guard call.head.headerFields.acceptsHTML else {
      return Self.status
    }
    guard let project = try await services.projects.project(apiKey: Self.apiKey) else {
      throw APIError.notFound
    }
    let providers = try await services.projects.providers(in: project.id)
    let language = PageLanguage(call)
    let texts = WelcomeTexts(language)
    let data = Self.data(project, providers, development, language, texts)
    var answer = Answer(json: WelcomeTemplate.html(language, texts, data: data))
    answer.contentType = "text/html; charset=utf-8"
    answer.headers = headers
    return answer
  }

  /// Google's reference describes the API that this server has, too.
  private static var status: Answer {
    var writer = JSONWriter()
    writer.object { root in
      root.object("authEmulator") {
        $0.member("ready", true)
        $0.member("docs", "https://firebase.google.com/docs/reference/rest/auth")
        $0.member("apiSpec", "https://identitytoolkit.googleapis.com/$discovery/rest?version=v1")
      }
    }
    var answer = Answer(json: writer.bytes)
    answer.headers = [.cacheControl: "no-store", .vary: "Accept"]
    return answer
  }

  /// The data for the scripts.
  private static func data(
    _ project: Project, _ providers: [ProviderConfiguration],
    _ development: APIConfiguration.Development, _ language: PageLanguage, _ texts: WelcomeTexts
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { data in
      data.member("apiKey", apiKey)
      data.member("project", project.id.text)
      data.member("language", language.rawValue)
      data.member("simulator", ifPresent: development.simulatorURL)
      data.member("recentSignInSeconds", project.policies.recentSignInSeconds)
      data.member("passkeyDomain", ifPresent: try? project.relyingParty().id)
      data.array("providers") { list in
        for provider in providers where provider.isEnabled {
          list.object {
            $0.member("id", provider.id.text)
            $0.member("name", name(of: provider))
          }
        }
      }
      data.member("texts", .object(texts.all))
    }
    return writer.bytes
  }

  private static func name(of provider: ProviderConfiguration) -> String {
    let kind = IdentityProviders.kind(of: provider.id)
    return (kind?.id == nil ? nil : kind?.displayName) ?? provider.displayName ?? provider.id.text
  }

  /// Content Security Policy Level 3. Pictures may come from any https URL, because providers keep
  /// them in many places. Over plain http they may come only from the simulator, and not from other
  /// servers of this machine.
  private var headers: HTTPFields {
    let pictures = (["'self'", "https:"] + [development.simulatorURL].compactMap(\.self))
      .joined(separator: " ")
    var headers: HTTPFields = [
      .referrerPolicy: "no-referrer", .cacheControl: "no-store", .vary: "Accept",
      .contentSecurityPolicy:
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src \(pictures); base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'",
    ]
    headers[.openerPolicy] = "same-origin"
    return headers
  }
}

/// Fills in `index.html`: `{{name}}` is a text in the page's language, `{{@language}}` the language
/// tag, `{{@data}}` the data for the scripts.
enum WelcomeTemplate {
  static func html(_ language: PageLanguage, _ texts: WelcomeTexts, data: [UInt8]) -> [UInt8] {
    let template = String(decoding: PackageResources.index_html, as: UTF8.self)
    var html: [UInt8] = []
    html.reserveCapacity(template.utf8.count + data.count)
    for (index, part) in template.split(separator: "{{", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard index > 0, let end = part.firstRange(of: "}}") else {
        html += Array(part.utf8)
        continue
      }
      switch part[..<end.lowerBound] {
      case "@language": html += Array(language.rawValue.utf8)
      case "@data": html += Array(DataBlock.text(String(decoding: data, as: UTF8.self)).utf8)
      case let name: html += Array(HTML.escaped(texts[String(name)]).utf8)
      }
      html += Array(part[end.upperBound...].utf8)
    }
    return html
  }
}

/// A file of the welcome page, embedded in the program.
struct WelcomeFile: Sendable {
  let name: String
  let contentType: String
  let bytes: [UInt8]

  /// The path of the files: the pattern of ``RequestPath`` without the name.
  static let folder = "__/welcome/"

  static let all = [
    script("main.js", PackageResources.main_js),
    script("passkey.js", PackageResources.passkey_js),
    script("account.js", PackageResources.account_js),
    script("actions.js", PackageResources.actions_js),
    script("calls.js", PackageResources.calls_js),
    script("data.js", PackageResources.data_js),
    script("deletion.js", PackageResources.deletion_js),
    script("elements.js", PackageResources.elements_js),
    script("email.js", PackageResources.email_js),
    script("questions.js", PackageResources.questions_js),
    script("second-factor.js", PackageResources.second_factor_js),
    script("session.js", PackageResources.session_js),
    script("sign-in.js", PackageResources.sign_in_js),
    WelcomeFile("design.css", "text/css; charset=utf-8", PackageResources.design_css),
    WelcomeFile("welcome.css", "text/css; charset=utf-8", PackageResources.welcome_css),
    WelcomeFile("icon.svg", "image/svg+xml", PackageResources.icon_svg),
  ]

  private init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
    self.name = name
    self.contentType = contentType
    self.bytes = bytes
  }

  private static func script(_ name: String, _ bytes: [UInt8]) -> WelcomeFile {
    WelcomeFile(name, "text/javascript; charset=utf-8", bytes)
  }

  var answer: Answer {
    var answer = Answer(json: bytes)
    answer.contentType = contentType
    return answer
  }
}

import HTTPTypes

/// A file of the welcome page, embedded in the program.
struct WelcomeFile: Sendable {
  let name: String
  let contentType: String
  let bytes: [UInt8]

  /// The path of the files: the pattern of ``RequestPath`` without the name.
  static let folder = "__/welcome/"

  static let all = [
    script("main.js", PackageResources.main_js),
    script("account.js", PackageResources.account_js),
    script("actions.js", PackageResources.actions_js),
    script("calls.js", PackageResources.calls_js),
    script("data.js", PackageResources.data_js),
    script("deletion.js", PackageResources.deletion_js),
    script("elements.js", PackageResources.elements_js),
    script("email.js", PackageResources.email_js),
    script("questions.js", PackageResources.questions_js),
    script("session.js", PackageResources.session_js),
    script("sign-in.js", PackageResources.sign_in_js),
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

import HTTPTypes

/// A file of the console, embedded in the program.
struct ConsoleFile: Sendable {
  private let name: String
  private let contentType: String
  private let bytes: [UInt8]

  static let page = ConsoleFile("console.html", "text/html", PackageResources.console_html)

  /// By name.
  static let all = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })

  private static let files = [
    script("console-account.js", PackageResources.console_account_js),
    script("console-administrators.js", PackageResources.console_administrators_js),
    script("console-api.js", PackageResources.console_api_js),
    script("console-apple.js", PackageResources.console_apple_js),
    script("console-apps-texts.js", PackageResources.console_apps_texts_js),
    script("console-apps.js", PackageResources.console_apps_js),
    script("console-call.js", PackageResources.console_call_js),
    script("console-events.js", PackageResources.console_events_js),
    script("console-hooks.js", PackageResources.console_hooks_js),
    script("console-import.js", PackageResources.console_import_js),
    script("console-keys.js", PackageResources.console_keys_js),
    script("console-mail-preview.js", PackageResources.console_mail_preview_js),
    script("console-mail-texts.js", PackageResources.console_mail_texts_js),
    script("console-mail.js", PackageResources.console_mail_js),
    script("console-me.js", PackageResources.console_me_js),
    script("console-methods-texts.js", PackageResources.console_methods_texts_js),
    script("console-methods.js", PackageResources.console_methods_js),
    script("console-oidc.js", PackageResources.console_oidc_js),
    script("console-outbox.js", PackageResources.console_outbox_js),
    script("console-overview.js", PackageResources.console_overview_js),
    script("console-part.js", PackageResources.console_part_js),
    script("console-plot.js", PackageResources.console_plot_js),
    script("console-policies-texts.js", PackageResources.console_policies_texts_js),
    script("console-policies.js", PackageResources.console_policies_js),
    script("console-providers.js", PackageResources.console_providers_js),
    script("console-session.js", PackageResources.console_session_js),
    script("console-settings.js", PackageResources.console_settings_js),
    ConsoleFile("console-setup.css", "text/css", PackageResources.console_setup_css),
    script("console-setup.js", PackageResources.console_setup_js),
    script("console-signing.js", PackageResources.console_signing_js),
    script("console-start.js", PackageResources.console_start_js),
    script("console-templates.js", PackageResources.console_templates_js),
    script("console-texts.js", PackageResources.console_texts_js),
    script("console-token.js", PackageResources.console_token_js),
    script("console-tools.js", PackageResources.console_tools_js),
    script("console-ui.js", PackageResources.console_ui_js),
    script("console-user.js", PackageResources.console_user_js),
    script("console-users.js", PackageResources.console_users_js),
    script("console-vendors.js", PackageResources.console_vendors_js),
    ConsoleFile("console.css", "text/css", PackageResources.console_css),
    script("console.js", PackageResources.console_js),
    ConsoleFile("design.css", "text/css", PackageResources.design_css),
  ]

  private init(_ name: String, _ contentType: String, _ bytes: [UInt8]) {
    self.name = name
    self.contentType = contentType + "; charset=utf-8"
    self.bytes = bytes
  }

  private static func script(_ name: String, _ bytes: [UInt8]) -> ConsoleFile {
    ConsoleFile(name, "text/javascript", bytes)
  }

  /// Content Security Policy Level 3, and Trusted Types: no text becomes markup or a script. The preview of an email
  /// shows its pictures, which may be anywhere.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    + "img-src 'self' https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    + "require-trusted-types-for 'script'; trusted-types 'none'"

  var answer: Answer {
    var answer = Answer(json: bytes)
    answer.contentType = contentType
    answer.headers = [
      .contentSecurityPolicy: Self.policy, .referrerPolicy: "no-referrer",
      .crossOriginResourcePolicy: "same-origin",
    ]
    answer.headers[.openerPolicy] = "same-origin"
    return answer
  }
}

import Foundation
import GatehouseProtocol
import HTTPTypes

/// `/mailbox` in `--dev`: the emails that were kept instead of sent, as HTML and as text.
///
/// Pages of this origin may administer the server. An email's HTML is therefore shown in a frame with
/// an origin of its own (HTML Standard §4.8.5, `sandbox`), in which no script runs.
struct MailboxPage: Endpoint {
  let services: APIServices
  let mails: DevelopmentMails
  let development: APIConfiguration.Development

  var routes: [Route] {
    [
      Route(
        method: .get, pattern: "mailbox", name: "mailbox", access: .developer, envelope: .page,
        handle: answer)
    ]
  }

  /// The most emails that the page shows.
  private static let maximumCount = 50

  private func answer(_ call: Call) async throws -> Answer {
    let id = call.query["project"].flatMap { ProjectID($0) } ?? development.defaultProject
    guard let project = try await services.projects.project(id) else { throw APIError.notFound }
    let found = mails.list(project.id).prefix(Self.maximumCount)
    var answer = Answer(json: Array(Self.html(found, of: project.id).utf8))
    answer.contentType = "text/html; charset=utf-8"
    answer.headers = Self.headers(project.policies.branding)
    return answer
  }

  /// The frames inherit this policy, and emails contain their styles and the logo. So inline styles are
  /// allowed, and pictures of the logo's origin.
  private static func headers(_ branding: BrandingPolicy) -> HTTPFields {
    let logo = branding.logoOrigin.map { "img-src \($0); " } ?? ""
    return [
      .referrerPolicy: "no-referrer", .cacheControl: "no-store",
      .contentSecurityPolicy:
        "default-src 'none'; style-src 'unsafe-inline'; \(logo)base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'",
    ]
  }

  private static func html(
    _ mails: ArraySlice<DevelopmentMail>, of project: ProjectID
  ) -> String {
    let list =
      mails.isEmpty
      ? "<p>No email yet. Request a password reset, and reload this page.</p>"
      : mails.map(article).joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Mailbox of \(HTML.escaped(project.text))</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      <h1>Mailbox of \(HTML.escaped(project.text))</h1>
      <p>A server that runs with <code>--dev</code> sends no emails. It keeps the latest here.</p>
      \(list)
      </main>
      </body>
      </html>

      """
  }

  private static func article(_ mail: DevelopmentMail) -> String {
    let escaped = HTML.escaped
    let link = mail.link.map {
      "\n<p><a class=\"go\" href=\"\(escaped($0))\">Open the link</a></p>"
    }
    let frame = mail.html.map {
      "\n<iframe sandbox title=\"The email as HTML\" srcdoc=\"\(escaped($0))\"></iframe>"
    }
    return """
      <article class="card" lang="\(escaped(mail.language))">
      <h2>\(escaped(mail.subject))</h2>
      <p lang="en">To <b>\(escaped(mail.to))</b>, from \(escaped(mail.from)),
      <time>\(mail.date.formatted(.iso8601))</time></p>\(link ?? "")\(frame ?? "")
      <details><summary lang="en">The email as text</summary><pre>\(escaped(mail.text))</pre></details>
      </article>
      """
  }

  static let style =
    PageStyle.design + """
      body{padding:1.5rem 1rem}main{max-width:46rem;margin:0 auto}
      h1+p{margin-top:.5rem;color:var(--quiet)}
      article{display:grid;gap:.75rem;margin-top:1.5rem;padding:1.25rem}
      article>*{min-width:0}
      article p{overflow-wrap:anywhere}
      iframe{width:100%;height:34rem;border:1px solid var(--line);border-radius:var(--round-small);background:#fff}
      pre{margin-top:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
      """
}

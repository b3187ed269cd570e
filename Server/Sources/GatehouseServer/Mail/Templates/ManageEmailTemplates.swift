import Foundation
import GatehouseProtocol

/// `v2/projects/{p}/emailTemplates/{kind}/languages/{language}`: a project's own texts of emails. Google's service has
/// four kinds in one language, in `config`.
struct ManageEmailTemplates: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let all = "v2/projects/*/emailTemplates"
    let one = "\(all)/*/languages/*"
    return [
      .administrator(.get, all, "emailTemplates.list", role: .viewer, list),
      .administrator(.get, one, "emailTemplates.get", role: .viewer, get),
      .administrator(.patch, one, "emailTemplates.patch", patch),
      .administrator(.delete, one, "emailTemplates.delete", delete),
      .administrator(.post, "\(one):preview", "emailTemplates.preview", role: .viewer, preview),
    ]
  }

  private var store: any Store { services.accounts.store }

  /// The project's own texts.
  func list(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let templates = try await store.read { transaction in
      try MailKind.allCases.flatMap { try transaction.emailTemplates(of: $0, in: project) }
    }
    return Answer(
      ListResponse("emailTemplates", templates.map { EmailTemplateResource($0, of: project) }))
  }

  /// The text that is used: the project's own, or else the server's.
  func get(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let place = try TemplatePlace(call)
    if let own = try await own(place, in: project.id) {
      return Answer(EmailTemplateResource(own, of: project.id))
    }
    return Answer(EmailTemplateResource(try place.builtIn(for: project), at: place, of: project.id))
  }

  /// Uses the text from the next email on. The project's own text is replaced as a whole.
  func patch(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let place = try TemplatePlace(call)
    let template = try await template(call, place)
    _ = try MailTemplate(template)
    try await services.projects.changing { transaction in
      let others = try transaction.emailTemplates(of: place.kind, in: project).count {
        $0.language != template.language
      }
      guard others < EmailTemplate.maximumLanguages else {
        throw APIError.invalidConfiguration(
          .invalidConfig,
          "A project has texts of a kind in at most \(EmailTemplate.maximumLanguages) languages.")
      }
      try transaction.save(template, in: project)
    }
    return Answer(EmailTemplateResource(template, of: project))
  }

  /// Uses the server's text again.
  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let place = try TemplatePlace(call)
    let removed = try await services.projects.changing {
      try $0.deleteEmailTemplate(of: place.kind, language: place.language.text, in: project)
    }
    guard removed else {
      throw APIError.notFound("The project has no text of its own for this email in this language.")
    }
    return Answer(EmptyResponse())
  }

  /// The email with example values: from the text in the body, which isn't stored, or else from the one in use.
  func preview(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let place = try TemplatePlace(call)
    let template: MailTemplate
    if call.fields.contains("subject") {
      template = try MailTemplate(try await self.template(call, place))
    } else if let own = try await own(place, in: project.id) {
      template = try MailTemplate(own)
    } else {
      template = try place.builtIn(for: project)
    }
    var values = MailValues.example(of: place.kind, appName: project.displayName ?? "Example")
    values.branding = project.policies.branding
    let content = template.rendered(values, in: place.language).reveal()
    return Answer(EmailPreviewResponse(content))
  }

  private func own(_ place: TemplatePlace, in project: ProjectID) async throws -> EmailTemplate? {
    try await store.read { try $0.emailTemplates(of: place.kind, in: project) }
      .first { $0.language.hasSameBytes(as: place.language.text) }
  }

  private func template(_ call: Call, _ place: TemplatePlace) async throws -> EmailTemplate {
    try call.refuseUnknownMembers(EmailTemplateResource.knownMembers)
    let resource = try call.request(EmailTemplateResource.self)
    return EmailTemplate(
      kind: place.kind, language: place.language.text, subject: resource.subject,
      text: resource.text, html: resource.html, updatedAt: call.now)
  }
}

/// The email and the language that a path names.
private struct TemplatePlace {
  let kind: MailKind
  let language: MailLanguage

  init(_ call: Call) throws(APIError) {
    guard let kind = call.path.resource.flatMap({ MailKind(rawValue: $0) }) else {
      let kinds = MailKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .notFound("There is no such email; there are \(kinds).")
    }
    guard let language = call.path.resources.last.flatMap({ MailLanguage($0) }) else {
      throw .notFound("The language is a tag such as de or pt-BR.")
    }
    (self.kind, self.language) = (kind, language)
  }

  /// The server's own text.
  func builtIn(for project: Project) throws -> MailTemplate {
    try MailTemplates().with([:], branding: project.policies.branding)
      .template(for: kind, languages: [language.text]).template
  }
}

/// A text of an email.
struct EmailTemplateResource: WireRequest, WireResponse {
  var subject = ""
  var text = ""
  /// Nil for an email with only text.
  var html: String?
  private var name = ""
  private var kind = ""
  private var language = ""
  /// Nil for a text of the server.
  private var updateTime: String?

  static let knownMembers = KnownMembers([
    "name", "kind", "language", "subject", "text", "html", "updateTime", "builtIn",
  ])

  init(_ fields: WireFields) throws(WireError) {
    subject = try fields.string("subject") ?? ""
    text = try fields.string("text") ?? ""
    html = try fields.nonEmptyString("html")
  }

  init(_ template: EmailTemplate, of project: ProjectID) {
    self.init(template.kind.rawValue, template.language, project)
    subject = template.subject
    text = template.text
    html = template.html
    updateTime = template.updatedAt.formatted(.iso8601)
  }

  fileprivate init(_ template: MailTemplate, at place: TemplatePlace, of project: ProjectID) {
    self.init(place.kind.rawValue, place.language.text, project)
    subject = template.subject
    text = template.text
    html = template.html
  }

  private init(_ kind: String, _ language: String, _ project: ProjectID) {
    name = "projects/\(project)/emailTemplates/\(kind)/languages/\(language)"
    self.kind = kind
    self.language = language
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("kind", kind)
    writer.member("language", language)
    writer.member("subject", subject)
    writer.member("text", text)
    writer.member("html", ifPresent: html)
    writer.member("updateTime", ifPresent: updateTime)
    writer.member("builtIn", updateTime == nil)
  }
}

/// An email as a reader gets it.
struct EmailPreviewResponse: WireResponse {
  private let content: MailContent

  init(_ content: MailContent) { self.content = content }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("subject", content.subject)
    writer.member("text", content.text)
    writer.member("html", ifPresent: content.html)
  }
}

extension MailValues {
  /// Values for a preview.
  package static func example(of kind: MailKind, appName: String) -> MailValues {
    var values = MailValues(appName: appName, email: "alice@example.com")
    values.displayName = "Alice"
    if kind.names.contains(.newEmail) { values.newEmail = "alice.new@example.com" }
    if kind.names.contains(.providerName) { values.providerName = "Apple" }
    if kind.hasLink {
      values.link = Secret("https://auth.example.com/__/auth/action?mode=…&oobCode=…")
      values.validity = .seconds(3600)
    }
    return values
  }
}

extension MailTemplateFault: APIErrorConvertible {
  var apiError: APIError { .invalidConfiguration(.invalidConfig, "\(description).") }
}

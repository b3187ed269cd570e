import Foundation
package import GatehouseProtocol

/// `v2/projects` and `v2/projects/{p}`. The resource has the members of Firebase Management's `FirebaseProject`.
struct ManageProjects: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let all = "v2/projects"
    let one = "\(all)/*"
    return [
      .server(.get, all, "projects.list", role: .viewer, isOfAnyProject: true, list),
      .server(.post, all, "projects.create", create),
      .administrator(.get, one, "projects.get", role: .viewer, get),
      .administrator(.patch, one, "projects.patch", patch),
      .administrator(.delete, one, "projects.delete", role: .owner, delete),
    ]
  }

  /// The projects that the caller administers, in the order of their ids.
  func list(_ call: Call) async throws -> Answer {
    let projects = try await services.projects.projects().filter {
      call.administrator?.isOf($0.id) ?? false && !$0.id.isConsole
    }
    return Answer(ListResponse("projects", projects.map { ProjectResource($0) }))
  }

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ProjectResource.knownMembers)
    let resource = try call.request(ProjectResource.self)
    guard let id = ProjectID(resource.projectID), !id.isConsole else {
      throw APIError.invalidArgument(
        "projectId is a lower-case letter, then 2 to 62 of a–z, 0–9 and -.")
    }
    let domains = try (resource.authorizedDomains ?? []).map { text throws(APIError) in
      guard let domain = AuthorizedDomain.normalized(text) else {
        throw .invalidConfiguration(
          .invalidAuthorizedDomain, "“\(text)” is not the name of a host.")
      }
      return domain
    }
    let project = Project.new(
      id, displayName: resource.displayName, publicURL: configuration.publicURL, domains: domains,
      policies: try PolicyDocument(ProjectPolicies()).merging(resource.policies))
    do {
      let key = try await services.projects.create(project)
      return Answer(ProjectResource(project, apiKey: key.text))
    } catch StoreError.conflict(.project) {
      throw APIError.alreadyExists("The project exists already.")
    }
  }

  func get(_ call: Call) throws -> Answer { Answer(ProjectResource(try call.requireProject())) }

  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ProjectResource.knownMembers)
    let resource = try call.request(ProjectResource.self)
    let mask = FieldMask(call.parameters.string("updateMask"))
    let changed = try await services.projects.updateProject(try call.requireProject().id) {
      guard mask.covers("displayName", presentInBody: resource.displayName != nil) else { return }
      $0.displayName = resource.displayName.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let changed else { throw APIError.notFound(.projectNotFound) }
    return Answer(ProjectResource(changed))
  }

  /// Deletes the project and every account in it. Nothing is revoked at providers, and no user gets an email.
  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    // Page by page: one statement that deletes millions of accounts would hold up all other changes.
    try await services.accounts.dropAccounts(of: project.id)
    try await services.projects.changing { try $0.deleteProject(project.id) }
    return Answer(EmptyResponse())
  }
}

/// A project, for an administrator.
struct ProjectResource: WireRequest, WireResponse {
  var projectID = ""
  var displayName: String?
  /// Only in a request to create one, as ``policies``.
  var authorizedDomains: [String]?
  /// See ``PolicyDocument``. Afterwards they are part of `config`.
  var policies = JSONObject()
  private var number: UInt64 = 0
  private var issuer = ""
  /// Only in the response that created it.
  private var apiKey: String?

  static let knownMembers = KnownMembers([
    "name", "projectId", "projectNumber", "displayName", "authorizedDomains", "issuer",
    "policies.*",
  ])

  init(_ project: Project, apiKey: String? = nil) {
    projectID = project.id.text
    displayName = project.displayName
    number = project.number
    issuer = project.issuer
    self.apiKey = apiKey
  }

  init(_ fields: WireFields) throws(WireError) {
    projectID = try fields.string("projectId") ?? ""
    displayName = try fields.string("displayName")
    authorizedDomains =
      fields.contains("authorizedDomains") ? try fields.strings("authorizedDomains") : nil
    policies = try fields.message("policies")?.object ?? JSONObject()
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", "projects/\(projectID)")
    writer.member("projectId", projectID)
    writer.member("projectNumber", String(number))
    writer.member("displayName", ifPresent: displayName)
    writer.member("issuer", issuer)
    writer.member("apiKey", ifPresent: apiKey)
  }
}

extension Project {
  /// A new project of a server.
  ///
  /// - Parameters:
  ///   - publicURL: The server's. The issuer of the project's tokens begins with it.
  ///   - domains: The hosts to which a browser may be redirected, in addition to the server's own.
  package static func new(
    _ id: ProjectID, displayName: String? = nil, publicURL: String, domains: [String],
    policies: ProjectPolicies = ProjectPolicies()
  ) -> Project {
    var generator = SystemRandomNumberGenerator()
    let own = URL(string: publicURL)?.host
    return Project(
      id: id, number: UInt64.random(in: 100_000_000_000...999_999_999_999, using: &generator),
      displayName: displayName.flatMap { $0.isEmpty ? nil : $0 }, issuer: "\(publicURL)/\(id)",
      authorizedDomains: ([own].compactMap(\.self) + domains).reduce(into: []) { all, name in
        if !all.containsBytes(of: name) { all.append(name) }
      },
      policies: policies)
  }
}

/// `{"<collection>": [...]}`, with a token for the next page if there is one.
struct ListResponse<Element: WireResponse>: WireResponse {
  private let collection: StaticString
  private let elements: [Element]
  private let nextPageToken: String?

  init(_ collection: StaticString, _ elements: [Element], nextPageToken: String? = nil) {
    self.collection = collection
    self.elements = elements
    self.nextPageToken = nextPageToken
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("\(collection)") { list in
      for element in elements { list.object { element.writeMembers(to: &$0) } }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}

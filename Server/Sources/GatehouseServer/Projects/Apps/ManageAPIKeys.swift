import GatehouseProtocol

/// `v2/projects/{p}/apiKeys`: the keys that identify the project in clients' requests. They are not secret.
struct ManageAPIKeys: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let all = "v2/projects/*/apiKeys"
    return [
      .administrator(.get, all, "apiKeys.list", role: .viewer, list),
      .administrator(.post, all, "apiKeys.create", create),
      .administrator(.delete, "\(all)/*", "apiKeys.delete", delete),
    ]
  }

  func list(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let apps = try await services.projects.apps(of: project)
    let keys = try await services.projects.apiKeys(of: project).map { key in
      APIKeyResource(key, app: apps.first { $0.apiKey.hasSameBytes(as: key.text) })
    }
    return Answer(ListResponse("apiKeys", keys))
  }

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(APIKeyResource.knownMembers)
    let resource = try call.request(APIKeyResource.self)
    let key = try await Apps(services.projects).createKey(
      for: try call.requireProject().id, displayName: resource.displayName)
    return Answer(APIKeyResource(key, app: nil))
  }

  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    guard let key = call.path.resource,
      try await Apps(services.projects).deleteKey(key, of: project)
    else { throw APIError.notFound("The project has no such key.") }
    return Answer(EmptyResponse())
  }
}

struct APIKeyResource: WireRequest, WireResponse {
  var displayName: String?
  private var name = ""
  private var keyString = ""
  /// The id of the app to which the key belongs.
  private var appID: String?

  static let knownMembers = KnownMembers(["name", "keyString", "displayName", "appId"])

  init(_ fields: WireFields) throws(WireError) {
    displayName = try fields.nonEmptyString("displayName")
  }

  init(_ key: APIKey, app: App?) {
    name = "projects/\(key.project.text)/apiKeys/\(key.text)"
    keyString = key.text
    displayName = key.displayName
    appID = app?.id
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("keyString", keyString)
    writer.member("displayName", ifPresent: displayName)
    writer.member("appId", ifPresent: appID)
  }
}

extension Apps.Refusal: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .unknownProject: .notFound(.projectNotFound)
    case .taken(let appID): .alreadyExists("The project has the app \(appID) with this bundle id.")
    case .keyOfApp(let appID):
      .invalidArgument("The key belongs to the app \(appID), and is deleted with it.")
    }
  }
}

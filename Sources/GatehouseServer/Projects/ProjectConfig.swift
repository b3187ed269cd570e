import GatehouseModel
import GatehouseWire
import Synchronization

/// `projects/{p}/config`: the project's settings.
struct ProjectConfig: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      .administrator(.get, "v2/projects/*/config", "config.get", role: .viewer, get),
      .administrator(.patch, "v2/projects/*/config", "config.patch", patch),
    ]
  }

  func get(_ call: Call) throws -> Answer {
    var resource = ProjectConfigResource(try call.requireProject())
    if call.role?.includes(.admin) != true { resource.hideTestCodes() }
    return Answer(resource)
  }

  /// Changes the settings that `updateMask` names; without a mask, those in the body. Settings that
  /// neither this server nor Google's resource has are rejected.
  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ProjectConfigResource.knownMembers)
    let resource = try call.request(ProjectConfigResource.self)
    let mask = FieldMask(call.parameters.string("updateMask"))
    if let path = UnsupportedSettings.first(in: call.fields, under: mask) {
      throw APIError.invalidConfiguration(.invalidConfig, "This server doesn't offer \(path).")
    }
    let id = try call.requireProject().id
    let configuration = configuration
    // The change may run again; the secrets of the last run are stored.
    let secrets = Mutex<[BlockingFunction.Trigger: WebhookSecret]>([:])
    let changed = try await services.projects.updateProject(id) { project in
      try resource.apply(
        to: &project, under: mask, isDevelopment: configuration.development != nil)
      let created = try resource.blockingFunctions.apply(
        to: &project.blockingFunctions, under: mask, configuration, now: call.now)
      secrets.withLock { $0 = created }
    }
    guard let changed else { throw APIError.notFound(.projectNotFound) }
    var answer = ProjectConfigResource(changed)
    for (trigger, secret) in secrets.withLock({ $0 }) {
      answer.blockingFunctions.triggers?[trigger.rawValue]?.secret = secret.text.reveal()
    }
    return Answer(answer)
  }
}

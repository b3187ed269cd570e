import GatehouseProtocol
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
    if call.role?.includes(.administrator) != true { resource.hideTestCodes() }
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
      if let policies = resource.policies, mask.touches("policies") {
        project.policies = try PolicyDocument(project.policies).merging(policies)
      }
    }
    guard let changed else { throw APIError.notFound(.projectNotFound) }
    var answer = ProjectConfigResource(changed)
    for (trigger, secret) in secrets.withLock({ $0 }) {
      answer.blockingFunctions.triggers?[trigger.rawValue]?.secret = secret.text.reveal()
    }
    return Answer(answer)
  }
}

/// Settings in Google's resource for features that this server doesn't have.
///
/// Storing or ignoring such a setting would make an administrator believe that it is in effect. A
/// setting that is turned off is accepted, because that is true here. (The resource of a project at
/// Google also has templates of emails and a hosting site. Send only what a mask names.)
enum UnsupportedSettings {
  /// Fields of the resource. A request may also name them in snake_case.
  private static let paths: [StaticString] = [
    "multiTenant", "smsRegionConfig",
    "recaptchaConfig", "mobileLinksConfig", "notification", "quota", "monitoring",
    "autodeleteAnonymousUsers", "defaultHostingSite",
  ]

  /// The parts of unsupported features that this server does have.
  private static let supported = [
    "notification.sendEmail.callbackUri", "notification.send_email.callback_uri",
    "notification.defaultLocale", "notification.default_locale",
  ]

  /// The first of them that the request turns on; nil if it turns on none.
  static func first(in fields: WireFields, under mask: FieldMask) -> String? {
    for name in paths {
      let path = "\(name)"
      if let value = fields.value(name), mask.touches(path), !isOff(value, at: path) { return path }
    }
    return nil
  }

  /// Enumerators that turn nothing on: off, or what every project has.
  private static let idle = ["", "0", "OFF", "DISABLED", "DEFAULT", "HOSTING_DOMAIN"]

  /// Whether the value turns nothing on: false, zero, empty, or an enumerator of ``idle``.
  private static func isOff(_ value: JSONValue, at path: String) -> Bool {
    if supported.containsBytes(of: path) { return true }
    return switch value {
    case .null: true
    case .bool(let bool): !bool
    case .number(let number): number.int64 == 0
    case .string(let text):
      idle.containsBytes(of: text) || text.hasSuffix("_UNSPECIFIED")
    case .array(let elements): elements.isEmpty
    case .object(let object):
      object.members.allSatisfy { isOff($0.value, at: "\(path).\($0.name)") }
    }
  }
}

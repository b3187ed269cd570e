import GatehouseProtocol

/// `GET|PATCH /emulator/v1/projects/{p}/config`: the emulator's two settings, without a credential.
struct EmulatorConfig: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .developer(.get, "emulator/v1/projects/*/config", "emulator.config.get", get),
      .developer(.patch, "emulator/v1/projects/*/config", "emulator.config.patch", patch),
    ]
  }

  func get(_ call: Call) throws -> Answer { Self.answer(try call.requireProject()) }

  /// Changes those of the two settings that the body contains, and ignores everything else: an
  /// administrator's settings are at `v2/projects/{p}/config`.
  func patch(_ call: Call) async throws -> Answer {
    let resource = try call.request(ProjectConfigResource.self)
    let id = try call.requireProject().id
    let changed = try await services.projects.updateProject(id) { project in
      if let allows = resource.allowDuplicateEmails {
        project.policies.allowsDuplicateEmails = allows
      }
      if let protects = resource.enableImprovedEmailPrivacy {
        project.policies.protectsEmails = protects
      }
    }
    guard let changed else { throw APIError.notFound(.projectNotFound) }
    return Self.answer(changed)
  }

  private static func answer(_ project: Project) -> Answer {
    Answer(
      EmulatorConfigResponse(
        allowDuplicateEmails: project.policies.allowsDuplicateEmails,
        enableImprovedEmailPrivacy: project.policies.protectsEmails))
  }
}

/// The emulator's own `config`: the two settings that tests change.
struct EmulatorConfigResponse: WireResponse {
  var allowDuplicateEmails: Bool
  var enableImprovedEmailPrivacy: Bool

  init(allowDuplicateEmails: Bool, enableImprovedEmailPrivacy: Bool) {
    self.allowDuplicateEmails = allowDuplicateEmails
    self.enableImprovedEmailPrivacy = enableImprovedEmailPrivacy
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.object("signIn") { $0.member("allowDuplicateEmails", allowDuplicateEmails) }
    writer.object("emailPrivacyConfig") {
      $0.member("enableImprovedEmailPrivacy", enableImprovedEmailPrivacy)
    }
  }
}

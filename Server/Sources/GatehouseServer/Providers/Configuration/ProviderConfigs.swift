import GatehouseProtocol

/// `oauthIdpConfigs` and `defaultSupportedIdpConfigs`: create, read, change, delete and list.
struct ProviderConfigs: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration
  let collection: ProviderCollection

  var routes: [Route] {
    // Viewers can't call them, because the responses contain secrets.
    let all = "v2/projects/*/\(collection.rawValue)"
    let name = collection.rawValue
    return [
      .administrator(.post, all, "\(name).create", create),
      .administrator(.get, all, "\(name).list", list),
      .administrator(.get, "\(all)/*", "\(name).get", get),
      .administrator(.patch, "\(all)/*", "\(name).patch", patch),
      .administrator(.delete, "\(all)/*", "\(name).delete", delete),
    ]
  }

  private static let maximumPage = 100

  func create(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    try call.refuseUnknownMembers(ProviderResource.knownMembers)
    let resource = try call.request(ProviderResource.self)
    let id = try identifier(
      call.parameters.string(collection == .openIDConnect ? "oauthIdpConfigId" : "idpId"))
    var provider = ProviderConfiguration(
      new: id, development: configuration.development != nil)
    try resource.apply(to: &provider, under: .absent)
    try check(provider)
    do {
      guard try await services.projects.createProvider(provider, in: project) else {
        throw APIError.invalidConfiguration(.invalidConfig, "Too many providers.")
      }
    } catch StoreError.conflict {
      throw APIError.alreadyExists(
        .configurationExists, "The \(kindName) already exists with config_id: \(id.text)")
    }
    return answer(provider, project)
  }

  func get(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    guard
      let provider = try await services.projects.provider(
        try identifier(call.path.resource), in: project)
    else { throw Self.notFound }
    return answer(provider, project)
  }

  func patch(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    try call.refuseUnknownMembers(ProviderResource.knownMembers)
    let resource = try call.request(ProviderResource.self)
    let mask = FieldMask(call.parameters.string("updateMask"))
    let id = try identifier(call.path.resource)
    let changed = try await services.projects.updateProvider(id, in: project) { provider in
      try resource.apply(to: &provider, under: mask)
      try check(provider)
    }
    guard let changed else { throw Self.notFound }
    return answer(changed, project)
  }

  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let id = try identifier(call.path.resource)
    guard try await services.projects.deleteProvider(id, in: project) else { throw Self.notFound }
    return Answer(EmptyResponse())
  }

  func list(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let asked =
      try call.parameters.int64("pageSize").map { Int(clamping: $0) } ?? Self.maximumPage
    let size = min(max(asked, 1), Self.maximumPage)
    let after = call.parameters.string("pageToken") ?? ""
    let rest = try await services.projects.providers(in: project).filter { provider in
      collection.contains(provider.id)
        && after.utf8.lexicographicallyPrecedes(provider.id.text.utf8)
    }
    let page = rest.prefix(size)
    return Answer(
      ProviderListResponse(
        collection: collection.rawValue,
        configurations: page.map { ProviderResource($0, collection: collection, of: project) },
        nextPageToken: rest.count > size ? page.last?.id.text : nil))
  }

  private var kindName: String {
    collection == .openIDConnect ? "OAuthIdpConfig" : "DefaultSupportedIdpConfig"
  }

  private static let notFound = APIError.notFound(.configurationNotFound)

  private func answer(_ provider: ProviderConfiguration, _ project: ProjectID) -> Answer {
    Answer(ProviderResource(provider, collection: collection, of: project))
  }

  private func identifier(_ text: String?) throws(APIError) -> ProviderID {
    guard let id = text.flatMap({ ProviderID($0) }), collection.contains(id) else {
      throw .invalidConfiguration(.invalidConfigID, identifierRule(broken: text ?? ""))
    }
    return id
  }

  /// Firebase's words, except for an id that Firebase would accept.
  private func identifierRule(broken id: String) -> String {
    guard collection == .openIDConnect else {
      return "The id of a DefaultSupportedIdpConfig is a built-in provider's."
    }
    if id.wholeMatch(of: /oidc\.[a-z][A-Za-z0-9._-]*[A-Za-z0-9]/) != nil {
      return "The id of an OAuthIdpConfig is oidc. and 1 to 32 of a-z 0-9 . _ -."
    }
    return
      "Oauth_idp_config_id must start with 'oidc.' and can only have alphanumeric characters, hyphens, "
      + "underscores or periods. The part after 'oidc.' must also start with a lowercase letter, end "
      + "with an alphanumeric character, and have at least 2 characters."
  }

  private func check(_ provider: ProviderConfiguration) throws(APIError) {
    let isDevelopment = configuration.development != nil
    let faults = ProviderConfigurationRules.faults(
      in: provider, allowsPlainHTTP: isDevelopment)
    // Google's service takes any text as the client id. A sign-in with it is refused, and
    // `providers test` says why.
    if let fault = faults.first(where: { !$0.isOfClientIDForm }) {
      throw fault.apiError
    }
  }
}

extension ProviderConfigurationFault {
  fileprivate var isOfClientIDForm: Bool { if case .clientIDForm = self { true } else { false } }
}

import GatehouseProtocol

/// `oauthIdpConfigs` and `defaultSupportedIdpConfigs`: create, read, change, delete, list and test; and for an OpenID
/// Connect provider or Microsoft, the move of its identities to a new issuer.
struct ProviderConfigs: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration
  let collection: ProviderCollection

  var routes: [Route] {
    let all = "v2/projects/*/\(collection.rawValue)"
    let name = collection.rawValue
    return [
      .administrator(.post, all, "\(name).create", create),
      .administrator(.get, all, "\(name).list", role: .viewer, list),
      .administrator(.get, "\(all)/*", "\(name).get", role: .viewer, get),
      .administrator(.patch, "\(all)/*", "\(name).patch", patch),
      .administrator(.delete, "\(all)/*", "\(name).delete", delete),
      .administrator(.post, "\(all)/*:test", "\(name).test", test),
      .administrator(.post, "\(all)/*:moveIssuer", "\(name).moveIssuer", moveIssuer),
    ]
  }

  private static let maximumPage = 100
  /// How many identities a request to move them looks at, and a response about another issuer.
  private static let identitiesPerRequest = 1000

  func create(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ProviderResource.knownMembers)
    let resource = try call.request(ProviderResource.self)
    let id = try identifier(
      call.parameters.string(collection == .openIDConnect ? "oauthIdpConfigId" : "idpId"))
    var provider = new(id)
    try apply(resource, to: &provider, under: .absent)
    do {
      guard
        try await services.projects.createProvider(provider, in: try call.requireProject().id)
      else {
        throw APIError.invalidConfiguration(
          .invalidConfig,
          "Too many providers. A project has at most \(ProviderConfiguration.maximumPerProject).")
      }
    } catch StoreError.conflict {
      throw APIError.alreadyExists(
        .configurationExists, "The \(kindName) already exists with config_id: \(id.text)")
    }
    return try await answer(id, call)
  }

  func get(_ call: Call) async throws -> Answer {
    try await answer(try identifier(call.path.resource), call)
  }

  /// With the mask `*`, the body replaces the configuration: what it lacks gets its default.
  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(ProviderResource.knownMembers)
    let resource = try call.request(ProviderResource.self)
    let mask = FieldMask(call.parameters.string("updateMask"))
    let id = try identifier(call.path.resource)
    let changed = try await services.projects.updateProvider(
      id, in: try call.requireProject().id
    ) { provider in
      guard mask.isWhole else { return try apply(resource, to: &provider, under: mask) }
      var whole = new(id)
      try apply(resource, to: &whole, under: .absent)
      provider = whole
    }
    guard changed != nil else { throw Self.notFound }
    return try await answer(id, call)
  }

  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let id = try identifier(call.path.resource)
    guard try await services.projects.deleteProvider(id, in: project) else { throw Self.notFound }
    return Answer(EmptyResponse())
  }

  func list(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let asked =
      try call.parameters.int64("pageSize").map { Int(clamping: $0) } ?? Self.maximumPage
    let size = min(max(asked, 1), Self.maximumPage)
    let after = call.parameters.string("pageToken") ?? ""
    let (providers, notifications) = try await store.read {
      (try $0.providersWithApps(in: project.id), try $0.notifications(in: project.id))
    }
    let rest = providers.filter { provider in
      collection.contains(provider.id)
        && after.utf8.lexicographicallyPrecedes(provider.id.text.utf8)
    }
    let page = rest.prefix(size)
    return Answer(
      ProviderListResponse(
        collection: collection.rawValue,
        configurations: page.map { provider in
          var resource = resource(provider, of: project, call)
          resource.derived.notifications = notifications.first { $0.provider == provider.id }
          return resource
        },
        nextPageToken: rest.count > size ? page.last?.id.text : nil))
  }

  /// Makes the requests of a sign-in to the provider that is configured: a caller can't choose another address. Each
  /// has the time limit of every call to a provider.
  func test(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(KnownMembers([]))
    guard
      let provider = try await services.projects.provider(
        try identifier(call.path.resource), in: try call.requireProject().id)
    else { throw Self.notFound }
    return Answer(FindingsResponse(await services.federation.diagnose(provider, now: call.now)))
  }

  /// Declares that the subjects of the provider's new issuer are the same users as at the old one, for some identities
  /// in each request. Only the operator can know this: no token shows it.
  func moveIssuer(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let id = try identifier(call.path.resource)
    try call.refuseUnknownMembers(KnownMembers(["from", "pageToken"]))
    guard let former = try call.fields.nonEmptyString("from") else {
      throw APIError.invalidArgument("from is the issuer under which the identities were linked.")
    }
    let token = try call.fields.nonEmptyString("pageToken")
    guard token.map({ Subject($0) != nil }) ?? true else {
      throw APIError.refused(.invalidPageSelection)
    }
    let (moved, issuer, last) = try await store.write { transaction in
      guard let provider = try transaction.provider(id, in: project) else { throw Self.notFound }
      guard let issuer = provider.tokenIssuer else { throw Self.noIssuer(id) }
      guard !issuer.hasSameBytes(as: former) else {
        throw APIError.invalidArgument(
          "from is the issuer that \(id) has now; give its former issuer.")
      }
      let page = try transaction.moveIdentities(
        of: id, from: former, to: issuer, after: token.flatMap { Subject($0) },
        limit: Self.identitiesPerRequest, in: project)
      return (page.moved, issuer, page.last)
    }
    return Answer(MoveIssuerResponse(moved: moved, issuer: issuer, nextPageToken: last?.text))
  }

  private static func noIssuer(_ id: ProviderID) -> APIError {
    .invalidConfiguration(
      .invalidIssuer,
      id == .microsoft
        ? "The issuer of \(id) depends on the user's tenant. Identities can be moved only to one tenant: first make "
          + "it the issuer."
        : "\(id) has a fixed issuer.")
  }

  private var store: any Store { services.accounts.store }

  private func new(_ id: ProviderID) -> ProviderConfiguration {
    ProviderConfiguration(new: id, development: configuration.development != nil)
  }

  private var kindName: String {
    collection == .openIDConnect ? "OAuthIdpConfig" : "DefaultSupportedIdpConfig"
  }

  private static let notFound = APIError.notFound(.configurationNotFound)

  private func answer(_ id: ProviderID, _ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let found = try await store.read { transaction -> ProviderResource? in
      guard let provider = try transaction.providerWithApps(id, in: project.id) else { return nil }
      var resource = resource(provider, of: project, call)
      resource.derived.notifications =
        try transaction.notifications(in: project.id).first { $0.provider == id }
      if let issuer = provider.tokenIssuer {
        resource.derived.identitiesOfOtherIssuers = try transaction.countIdentities(
          of: id, notFrom: issuer, amongFirst: Self.identitiesPerRequest, in: project.id)
      }
      return resource
    }
    guard let found else { throw Self.notFound }
    return Answer(found)
  }

  private func resource(
    _ provider: ProviderConfiguration, of project: Project, _ call: Call
  ) -> ProviderResource {
    ProviderResource(
      provider, of: project, showsSecrets: call.role?.includes(.administrator) ?? false)
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

  private func apply(
    _ resource: ProviderResource, to provider: inout ProviderConfiguration, under mask: FieldMask
  ) throws(APIError) {
    let receiver = provider.notificationForwardURL ?? ""
    try resource.apply(to: &provider, under: mask)
    if let url = provider.notificationForwardURL, !url.hasSameBytes(as: receiver) {
      provider.notificationForwardURL = try WebhookAddress.checked(
        url, field: "notificationForwardUrl", configuration)
    }
    let faults = ProviderConfigurationRules.faults(
      in: provider, allowsPlainHTTP: configuration.allowsLoopback
    ).filter {
      // Google's service takes any text as the client id. A sign-in with it is refused, and a test says why.
      configuration.isForOperator || !$0.isOfClientIDForm
    }
    if let refusal = ProviderConfigurationFault.refusal(faults) { throw refusal }
  }
}

extension ProviderConfigurationFault {
  fileprivate var isOfClientIDForm: Bool { if case .clientIDForm = self { true } else { false } }
}

struct MoveIssuerResponse: WireResponse {
  let moved: Int
  let issuer: String
  let nextPageToken: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("moved", moved)
    writer.member("issuer", issuer)
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}

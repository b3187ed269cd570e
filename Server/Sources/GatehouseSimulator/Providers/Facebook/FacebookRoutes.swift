import HTTPTypes
import Hummingbird

/// Facebook Login: the Graph API's calls with which a server checks a sign-in, the login dialog,
/// and the results of an app's SDK.
///
/// The Graph API takes its parameters from the query or from a form, an access token also from the
/// `Authorization` header. The path may begin with a version: `/facebook/graph/v24.0/me`. All
/// versions behave alike.
struct FacebookRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get(".well-known/openid-configuration") { _, _ in try discovery() }
    group.get(".well-known/oauth/openid/jwks") { _, _ in
      try Response.cacheable(try store.withState { try $0.keySet(of: .facebook) })
    }
    for version in ["", "{version}/"] {
      group.get("\(version)dialog/oauth") { request, _ in try dialog(request) }
      addGraph("graph/\(version)", to: group)
    }
    // `<id>/picture`, with or without a version: the router allows one name per path position.
    for path in ["silhouette.svg", "graph/{version}/picture", "graph/{version}/{id}/picture"] {
      group.get("\(path)") { _, _ in Response.silhouette }
    }
    dialogs.add(to: group)
    group.post("native-sign-in") { request, _ in try await nativeSignIn(request) }
  }

  private func addGraph(_ folder: String, to group: RouterGroup<SimulatorContext>) {
    func add(
      _ methods: [HTTPRequest.Method], _ path: String,
      _ answer: @escaping @Sendable (RequestForm) throws -> JSONValue
    ) {
      for method in methods {
        group.on("\(folder)\(path)", method: method) { request, _ in
          try await graph(request, answer)
        }
      }
    }
    add([.get, .post], "debug_token", debugToken)
    add([.get, .post], "oauth/access_token", accessToken)
    add([.get], "me", me)
    add([.delete], "me/permissions", deletePermissions)
    // The router allows one name per path position, and the version is at the same position.
    let user = folder.contains("{version}") ? "id" : "version"
    group.on("\(folder){\(user)}/permissions", method: .delete) { request, context in
      let id = try context.parameters.require(user)
      return try await graph(request) { try deletePermissions($0, ofUser: id) }
    }
  }

  /// Responds with the value of `answer`, or with its error in the Graph API's form.
  private func graph(
    _ request: Request, _ answer: (RequestForm) throws -> JSONValue
  ) async throws -> Response {
    do {
      return try .json(try answer(try await parameters(request)))
    } catch let error as GraphError {
      return try error.response()
    } catch let error as SimulatorError where error.status.code == 400 || error.status.code == 404 {
      return try GraphError(100, error.message).response()
    }
  }

  private func parameters(_ request: Request) async throws -> RequestForm {
    let query = request.uri.query ?? ""
    var form =
      request.method == .post && query.isEmpty
      ? try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
      : try RequestForm(parsing: query)
    if let token = request.bearerToken { form.fill("access_token", with: token) }
    return form
  }

  /// The discovery document for Limited Login's tokens (Meta, "Validating the Limited Login OIDC
  /// token").
  private func discovery() throws -> Response {
    let base = "\(store.baseURL)/facebook"
    return try .cacheable([
      "issuer": .string(Provider.facebook.issuer(baseURL: store.baseURL)),
      "authorization_endpoint": .string("\(base)/dialog/oauth"),
      "token_endpoint": .string("\(base)/graph/oauth/access_token"),
      "jwks_uri": .string("\(base)/.well-known/oauth/openid/jwks/"),
      "response_types_supported": .strings(["code", "token"]),
      "subject_types_supported": .strings(["pairwise"]),
      "id_token_signing_alg_values_supported": .strings(["RS256"]),
    ])
  }
}

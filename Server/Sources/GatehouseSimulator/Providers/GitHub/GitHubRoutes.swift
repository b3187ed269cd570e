import Hummingbird

/// GitHub's web flow under `/github/login/oauth`, its REST API under `/github/api`.
struct GitHubRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("login/oauth/authorize") { request, _ in try authorize(request) }
    dialogs.add(to: group)
    group.post("login/oauth/access_token") { request, _ in try await accessToken(request) }
    group.post("native-sign-in") { request, _ in try await nativeSignIn(request) }
    group.get("avatars/u/{id}") { _, _ in Response.silhouette }
    let api = GitHubAPI(store: store)
    group.get("api/user") { request, _ in try api.answer(request, api.user) }
    group.get("api/user/emails") { request, _ in try api.answer(request, api.emails) }
    group.post("api/applications/{client_id}/token") { request, context in
      try await api.applications(request, context, api.checkToken)
    }
    group.delete("api/applications/{client_id}/token") { request, context in
      try await api.applications(request, context, api.deleteToken)
    }
    group.delete("api/applications/{client_id}/grant") { request, context in
      try await api.applications(request, context, api.deleteGrant)
    }
  }
}

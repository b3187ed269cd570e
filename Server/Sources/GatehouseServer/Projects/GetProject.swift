import GatehouseProtocol

/// `GET projects` (v3 `getProjectConfig`): the project's settings that a client may read.
struct GetProject: Endpoint {
  var routes: [Route] {
    ["v1/projects", "relyingparty/getProjectConfig"].map {
      .client(.get, $0, "getProject", answer)
    }
  }

  func answer(_ call: Call) throws -> Answer {
    let project = try call.requireProject()
    return Answer(
      ProjectResponse(
        projectNumber: String(project.number), authorizedDomains: project.authorizedDomains))
  }
}

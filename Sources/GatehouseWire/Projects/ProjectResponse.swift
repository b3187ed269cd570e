public import GatehouseJSON

/// `GET projects`, and `getProjectConfig` of v3: what a client may know of its project.
public struct ProjectResponse: WireResponse {
  /// The project's *number*, as digits: so the service has it.
  public var projectNumber: String
  public var authorizedDomains: [String]

  public init(projectNumber: String, authorizedDomains: [String]) {
    self.projectNumber = projectNumber
    self.authorizedDomains = authorizedDomains
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("projectId", projectNumber)
    // Never left out: Google's JavaScript SDK goes through the list without looking for it first.
    writer.member("authorizedDomains", authorizedDomains)
  }
}

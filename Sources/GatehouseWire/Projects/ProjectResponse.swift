public import GatehouseJSON

/// `GET projects`, and `getProjectConfig` of v3: the project's settings that a client may read.
public struct ProjectResponse: WireResponse {
  /// The project's *number*, as digits, as in Google's service.
  public var projectNumber: String
  public var authorizedDomains: [String]

  public init(projectNumber: String, authorizedDomains: [String]) {
    self.projectNumber = projectNumber
    self.authorizedDomains = authorizedDomains
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("projectId", projectNumber)
    // Never omitted: Google's JavaScript SDK iterates over the list without checking that it
    // exists.
    writer.member("authorizedDomains", authorizedDomains)
  }
}

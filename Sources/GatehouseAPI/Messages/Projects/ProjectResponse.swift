import GatehouseJSON
import GatehouseWire

/// `GET projects`, and `getProjectConfig` of v3: the project's settings that a client may read.
struct ProjectResponse: WireResponse {
  /// The project's *number*, as digits, as in Google's service.
  var projectNumber: String
  var authorizedDomains: [String]

  init(projectNumber: String, authorizedDomains: [String]) {
    self.projectNumber = projectNumber
    self.authorizedDomains = authorizedDomains
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("projectId", projectNumber)
    // Never omitted: Google's JavaScript SDK iterates over the list without checking that it
    // exists.
    writer.member("authorizedDomains", authorizedDomains)
  }
}

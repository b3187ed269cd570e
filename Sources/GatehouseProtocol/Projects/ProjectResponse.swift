/// `GET projects`, and `getProjectConfig` of v3: the project's settings that a client may read.
public struct ProjectResponse: WireMessage {
  /// The project's *number*, as digits, as in Google's service.
  public var projectNumber: String
  public var authorizedDomains: [String]

  public init(projectNumber: String, authorizedDomains: [String]) {
    self.projectNumber = projectNumber
    self.authorizedDomains = authorizedDomains
  }

  public init(_ fields: WireFields) throws(WireError) {
    projectNumber = try fields.requiredString("projectId")
    authorizedDomains = try fields.strings("authorizedDomains")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("projectId", projectNumber)
    // Never omitted: Google's JavaScript SDK iterates over the list without checking that it
    // exists.
    writer.member("authorizedDomains", authorizedDomains)
  }
}

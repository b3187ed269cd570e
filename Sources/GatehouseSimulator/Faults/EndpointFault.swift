/// An endpoint that is slow, or fails, or both.
struct EndpointFault: RequestBodyMembers, Encodable {
  static let members: Set<String> = ["path", "delayMilliseconds", "status", "count"]
  static let maximumDelayMilliseconds = 60_000

  /// The whole path of the endpoint: `/apple/auth/keys`.
  var path: String
  /// Waited before anything else happens.
  var delayMilliseconds: Int?
  /// Answered in place of the endpoint's answer, 400 to 599.
  var status: Int?
  /// How many requests this befalls; nil for all, until the faults are replaced.
  var count: Int?

  /// - Throws: `invalid_request`, naming the member.
  func validate() throws(SimulatorError) {
    guard path.utf8.count <= 200,
      Provider.allCases.contains(where: { path.hasPrefix("/\($0.rawValue)/") })
    else {
      throw .invalidRequest(
        "\"path\" must be the path of a provider's endpoint, such as /apple/auth/keys")
    }
    guard (0...Self.maximumDelayMilliseconds).contains(delayMilliseconds ?? 0) else {
      throw .invalidRequest("\"delayMilliseconds\" must be 0 to \(Self.maximumDelayMilliseconds)")
    }
    guard (400...599).contains(status ?? 500) else {
      throw .invalidRequest("\"status\" must be 400 to 599")
    }
    guard (1...1_000_000).contains(count ?? 1) else {
      throw .invalidRequest("\"count\" must be 1 to 1000000")
    }
    guard status != nil || delayMilliseconds != nil else {
      throw .invalidRequest("An endpoint fault needs \"status\" or \"delayMilliseconds\"")
    }
  }
}

/// A fault of one endpoint: a delay, an error, or other content.
struct EndpointFault: RequestBodyMembers, Encodable {
  static let members: Set<String> = [
    "path", "delayMilliseconds", "status", "location", "body", "contentType", "padding", "count",
  ]
  static let maximumDelayMilliseconds = 60_000
  static let maximumPadding = 50_000_000

  /// The full path of the endpoint: `/apple/auth/keys`.
  var path: String
  /// A delay before the request is handled.
  var delayMilliseconds: Int?
  /// The status that replaces the endpoint's, 200 to 599. Below 400 it needs a body, padding or a location.
  var status: Int?
  /// The redirect target; the default status is then 302.
  var location: String?
  /// The response's body; the default status is then 200.
  var body: String?
  /// The body's content type; the default is `application/json`.
  var contentType: String?
  /// The number of spaces before the body, which JSON allows: for a response that is too long to
  /// read.
  var padding: Int?
  /// How many requests get this fault; nil for all, until the faults are replaced.
  var count: Int?

  /// Whether the fault replaces the endpoint's response. Then the endpoint doesn't run.
  var replacesAnswer: Bool { status != nil || location != nil || body != nil || padding != nil }

  var answerStatus: Int { status ?? (location == nil ? 200 : 302) }

  /// - Throws: `invalid_request` that names the member.
  func validate() throws(SimulatorError) {
    guard path.utf8.count <= 200,
      Provider.builtIn.contains(where: { path.hasPrefix("/\($0.rawValue)/") })
    else {
      throw .invalidRequest(
        "\"path\" must be the path of a provider's endpoint, such as /apple/auth/keys")
    }
    try check("delayMilliseconds", delayMilliseconds, 0...Self.maximumDelayMilliseconds)
    try check("status", status, 200...599)
    try check("padding", padding, 1...Self.maximumPadding)
    try check("count", count, 1...1_000_000)
    for (member, text) in [("location", location), ("contentType", contentType)] {
      guard text?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) ?? true else {
        throw .invalidRequest("\"\(member)\" must be printable ASCII")
      }
    }
    guard location != nil || body != nil || padding != nil || status.map({ $0 >= 400 }) ?? true
    else {
      throw .invalidRequest(
        "A \"status\" below 400 needs \"body\", \"location\" or \"padding\"")
    }
    guard replacesAnswer || delayMilliseconds != nil else {
      throw .invalidRequest(
        "An endpoint fault needs \"status\", \"location\", \"body\", \"padding\" or "
          + "\"delayMilliseconds\"")
    }
  }

  private func check(
    _ member: String, _ value: Int?, _ range: ClosedRange<Int>
  ) throws(SimulatorError) {
    guard let value, !range.contains(value) else { return }
    throw .invalidRequest("\"\(member)\" must be \(range.lowerBound) to \(range.upperBound)")
  }
}

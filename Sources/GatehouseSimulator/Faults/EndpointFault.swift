/// An endpoint that is slow, fails, or answers something else.
struct EndpointFault: RequestBodyMembers, Encodable {
  static let members: Set<String> = [
    "path", "delayMilliseconds", "status", "location", "body", "contentType", "padding", "count",
  ]
  static let maximumDelayMilliseconds = 60_000
  static let maximumPadding = 50_000_000

  /// The whole path of the endpoint: `/apple/auth/keys`.
  var path: String
  /// Waited before anything else happens.
  var delayMilliseconds: Int?
  /// Answered in place of the endpoint's answer, 200 to 599; below 400 with a body or a location.
  var status: Int?
  /// Where the answer redirects to; the status is 302 if none is given.
  var location: String?
  /// The answer's body; the status is 200 if none is given.
  var body: String?
  /// The body's type: `application/json` if absent.
  var contentType: String?
  /// So many spaces go before the body, which JSON allows: an answer too long to be read.
  var padding: Int?
  /// How many requests this befalls; nil for all, until the faults are replaced.
  var count: Int?

  /// Whether the endpoint itself isn't asked.
  var replacesAnswer: Bool { status != nil || location != nil || body != nil || padding != nil }

  var answerStatus: Int { status ?? (location == nil ? 200 : 302) }

  /// - Throws: `invalid_request`, naming the member.
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

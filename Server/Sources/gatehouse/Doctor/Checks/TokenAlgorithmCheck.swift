import GatehouseServer

/// Names the projects whose tokens Google's Admin SDKs reject.
enum TokenAlgorithmCheck {
  /// - Returns: Nil for RS256.
  static func finding(for project: Project) -> Finding? {
    guard project.policies.tokens.algorithm == .es256 else { return nil }
    return Finding(
      "\(project.id) tokens", .ok,
      "signed with ES256. Google's Admin SDKs accept only RS256: use another JWT library")
  }
}

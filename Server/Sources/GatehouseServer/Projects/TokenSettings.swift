/// How a project's ID tokens and session cookies are signed.
package struct TokenSettings: Hashable, Sendable, Codable {
  package var algorithm = TokenAlgorithm.rs256

  package init() {}

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    algorithm = try values.value(.algorithm, or: algorithm)
  }
}

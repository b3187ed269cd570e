/// The result of one check of a provider's configuration.
package struct Finding: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case ok
    /// Something is missing or unusual, but may be intended.
    case warning(remedy: String)
    case failed(remedy: String)
  }

  /// What was checked, such as `keys`.
  package var check: String
  package var verdict: Verdict
  /// What was found. Contains no secret.
  package var detail: String

  package init(_ check: String, _ verdict: Verdict, _ detail: String) {
    self.check = check
    self.verdict = verdict
    self.detail = detail
  }
}

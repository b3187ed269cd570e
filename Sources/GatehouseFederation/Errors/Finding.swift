/// One thing that was looked at when a provider's configuration was tested.
package struct Finding: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case ok
    /// Sign-in works, but something is missing or strange.
    case warning(remedy: String)
    case failed(remedy: String)
  }

  /// What was looked at, such as `keys`.
  package var check: String
  package var verdict: Verdict
  /// What was seen. Holds no secret.
  package var detail: String

  package init(_ check: String, _ verdict: Verdict, _ detail: String) {
    self.check = check
    self.verdict = verdict
    self.detail = detail
  }
}

import GatehouseServer

/// The verdicts of `findings` in order, such as `ok warning`.
func verdict(_ findings: [Finding]) -> String {
  findings.map { finding in
    switch finding.verdict {
    case .ok: "ok"
    case .warning: "warning"
    case .failed: "failed"
    }
  }.joined(separator: " ")
}

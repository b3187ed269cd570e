import GatehouseServer

extension PostgresEngine {
  func findings(
    mode: OpenDatabase.Mode, keys: MasterKeyRing?
  ) -> (findings: [Finding], hasDatabase: Bool) {
    if let state = try? state(), let finding = Finding(state, of: self) {
      return ([finding], false)
    }
    let findings = PostgresCheck.findings(
      address, mode: mode.rawValue, keys: keys, used: try? timelines?.timeline())
    // Without a database there is only the one finding that says so.
    return (findings, findings.count > 1)
  }
}

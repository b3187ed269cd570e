/// All faults of a configuration.
struct ConfigurationFaults: Error, CustomStringConvertible {
  let faults: [String]

  var description: String {
    faults.count == 1
      ? faults[0]
      : "the configuration has \(faults.count) faults:\n"
        + faults.map { "  - \($0)" }.joined(separator: "\n")
  }
}

enum Version {
  static let current = "0.1.0"

  /// With the commit, if it is known.
  static var described: String { commit.map { "\(current) (\($0))" } ?? current }

  /// The commit of the sources: 40 hexadecimal digits. Nil for a build without it.
  static var commit: String? {
    let digits = stamp().dropFirst(mark.utf8.count)
    return digits.utf8.allSatisfy { $0 == UInt8(ascii: ".") } ? nil : String(digits)
  }

  private static let mark = "gatehouse commit: "

  /// `scripts/stamp-commit` writes the commit over the dots in the finished program. If the compiler
  /// got the commit as a setting, it would compile everything again for each commit. The function
  /// isn't inlined, so that the compiler computes nothing from the dots.
  @inline(never)
  private static func stamp() -> String {
    "gatehouse commit: ........................................"
  }
}

/// What somebody probably meant who wrote a name that doesn't exist.
package enum Suggestion {
  /// The name that differs by the fewest letters; nil if none is near.
  package static func nearest(to text: String, among names: [String]) -> String? {
    let written = Array(text.lowercased().unicodeScalars.prefix(64))
    let distances = names.map { name in
      (name, distance(written, Array(name.lowercased().unicodeScalars)))
    }
    guard let best = distances.min(by: { $0.1 < $1.1 }),
      best.1 <= max(2, written.count / 4)
    else { return nil }
    return best.0
  }

  /// Levenshtein's distance.
  private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var row = Array(0...other.count)
    for (index, scalar) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (scalar == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}

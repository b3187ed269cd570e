import GatehouseModel

extension String {
  /// The text with control characters, line ends and characters that change the direction of
  /// writing escaped as `\u{1b}`: a terminal would obey them, or show text in another place.
  ///
  /// For texts that clients may have chosen, such as a user's name.
  var printable: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.disturbsLines {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

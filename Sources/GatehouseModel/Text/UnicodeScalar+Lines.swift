extension Unicode.Scalar {
  /// Whether the character could forge a line of a list or a log, or change how the text around it is shown:
  /// control characters, separators of lines, and characters of format such as those that change the
  /// direction of writing.
  package var disturbsLines: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

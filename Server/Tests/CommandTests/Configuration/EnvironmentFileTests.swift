import Testing

@testable import gatehouse

/// As systemd reads `EnvironmentFile=`.
@Suite struct EnvironmentFileTests {
  @Test(arguments: [
    ("A=b", "b"), ("A=b c  ", "b c"), ("  A = b", "b"), ("A=", ""), ("A='b  c'", "b  c"),
    (#"A="b \"c\" \$d \n""#, #"b "c" $d \n"#), (#"A='b\c'"#, #"b\c"#), (#"A=b\ c"#, "b c"),
    ("A=b\\\nc", "bc"), ("A=\"b\nc\"", "b\nc"), ("A=b=c", "b=c"), ("A=b # c", "b # c"),
    ("A=b 'c  ' ", "b c  "), ("A=b\r\n", "b"),
  ])
  func `a value is what systemd makes of it`(_ text: String, _ value: String) {
    let variables = EnvironmentFile(text).variables
    #expect(variables.map(\.name) == ["A"])
    #expect(variables.map(\.value) == [value])
  }

  @Test func `comments, empty lines and lines without a name are left out`() {
    let file = EnvironmentFile("# A=1\n; B=2\n\nnothing\n1A=3\nexport C=4\nD=5\n=6\nE='7'\nF=8")
    #expect(file.variables.map { "\($0.name)=\($0.value)" } == ["D=5", "E=7", "F=8"])
    // Whoever wrote such a line is told, without a secret that may be in it.
    #expect(file.ignored == [4, 5, 6, 8])
  }

  @Test func `the last line needs no end, and an open quote takes the rest`() {
    #expect(EnvironmentFile("A='b\nc").variables.map(\.value) == ["b\nc"])
    #expect(EnvironmentFile("").variables.isEmpty)
  }
}

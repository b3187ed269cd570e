import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct UserFileTests {
  /// What a scanner finds, fed in pieces of `size` bytes: `line:localId` or `line:!what is wrong`.
  private static func json(_ text: String, pieces size: Int = 1000) throws -> [String] {
    var scanner = JSONUserScanner()
    var found: [String] = []
    for piece in pieces(text, size) { try scanner.scan(piece) { found.append(describe($0)) } }
    try scanner.end()
    return found
  }

  private static func csv(_ text: String, pieces size: Int = 1000) throws -> [UserFileRow] {
    var scanner = CSVUserScanner()
    var found: [UserFileRow] = []
    for piece in pieces(text, size) { try scanner.scan(piece) { found.append($0) } }
    try scanner.end { found.append($0) }
    return found
  }

  private static func pieces(_ text: String, _ size: Int) -> [ArraySlice<UInt8>] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
  }

  private static func describe(_ row: UserFileRow) -> String {
    switch row.user {
    case .success(let user): "\(row.line):\(user.localID ?? "")"
    case .failure(let error): "\(row.line):!\(error.message)"
    }
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `users are found, whatever is between and in them, in pieces of any size`(size: Int) throws {
    let text = """
      \u{FEFF}{ "kind": "users[", "more": {"users": [{"localId": "no"}]}, "users" :
      [ {"localId":"a", "displayName": "\\"}]{ \\\\", "x": {"y": [1, {"z": "]"}]}},
      {
        "localId": "b"
      }  ,{"localId":"c"}
      ], "rest": [}
      """
    #expect(try Self.json(text, pieces: size) == ["2:a", "3:b", "5:c"])
  }

  @Test func `an unreadable user is refused without the others`() throws {
    let text = """
      {"users":[{"localId":"a"},
      {"localId":"b","localId":"c"},
      {"localId":true},
      {"localId":"d"}]}
      """
    #expect(
      try Self.json(text) == [
        "1:a", "2:!duplicateMember “localId” at byte 15",
        "3:!Invalid value at 'localId' (TYPE_STRING)", "4:d",
      ])
  }

  @Test(arguments: [
    ("", UserFileError(line: 1, reason: .noUsers)),
    ("[]", UserFileError(line: 1, reason: .notJSON)),
    ("\n{\"people\":[]}", UserFileError(line: 2, reason: .noUsers)),
    ("{\"users\":[{\"localId\":\"a\"}", UserFileError(line: 1, reason: .cutOff)),
    ("{\"users\":[{\"localId\":\"a\"", UserFileError(line: 1, reason: .cutOff)),
    ("{\"users\":[\n1]}", UserFileError(line: 2, reason: .notAnObject)),
    ("{\"users\":[{}{}]}", UserFileError(line: 1, reason: .notAnObject)),
    ("{\"users\":[,{}]}", UserFileError(line: 1, reason: .notAnObject)),
  ])
  func `an invalid file is reported with its line`(text: String, error: UserFileError) {
    #expect(throws: error) { try Self.json(text) }
  }

  @Test func `one user has a size limit, in both formats`() {
    let long = String(repeating: "x", count: 262_200)
    let error = UserFileError(line: 2, reason: .rowTooLong)
    #expect(throws: error) { try Self.json("{\"users\":[\n{\"localId\":\"\(long)\"}]}") }
    #expect(throws: error) { try Self.csv("\n\(long)") }
  }

  @Test(arguments: [1, 3, 1000])
  func `a CSV row is read by its columns`(size: Int) throws {
    let text =
      "ann,ann@example.com,true,AQID,BAUG,\"Ann \"A, B\" \"\"C\"\"\",https://example.com/a,"
      + "g1,g@example.com,\"G, G\",https://example.com/g,,,,,,,,,h1,,,,"
      + "1500000000000,1500000001000,+15555550100,true,\"{\"\"a\"\":\"\"b\nc\"\"}\",\r\n"
      + "\nbob,,false,,,,,,,,,,,,,,,,,,,,,1500000000000,,,"
    let rows = try Self.csv(text, pieces: size)
    #expect(rows.map(\.line) == [1, 4])
    let ann = try rows[0].user.get()
    #expect(ann.localID == "ann" && ann.email == "ann@example.com" && ann.emailVerified)
    #expect(ann.passwordHash == "AQID" && ann.salt == "BAUG")
    #expect(ann.displayName == "Ann \"A, B\" \"C\"" && ann.photoURL == "https://example.com/a")
    #expect(ann.providers.map(\.providerID) == ["google.com", "github.com"])
    #expect(ann.providers.map(\.rawID) == ["g1", "h1"])
    #expect(ann.providers.first?.displayName == "G, G")
    #expect(ann.createdAt == 1_500_000_000_000 && ann.lastLoginAt == 1_500_000_001_000)
    #expect(ann.phoneNumber == "+15555550100" && ann.disabled)
    #expect(ann.customAttributes == "{\"a\":\"b\nc\"}")
    let bob = try rows[1].user.get()
    #expect(bob.localID == "bob" && bob.email == nil && !bob.emailVerified && !bob.disabled)
  }

  /// As firebase-tools 15.19 and later write it.
  @Test(arguments: [1, 3, 1000])
  func `a CSV row of a newer export has ten providers`(size: Int) throws {
    let text =
      "ann,ann@example.com,false,,,\"Ann \"\"A, B\"\" Lee\",,g1,g@example.com,\"G, G\",,f1,,,,t1,,,,"
      + "h1,,,,1500000000000,1500000001000,,true,\"{\"\"a\"\":\"\"say \\\"b\\\"\"\"}\","
      + "a1,a@example.com,\"A \"\"B\"\"\",,m1,,,,c1,,,,p1,,,,l1,,,,y1,,,https://example.com/y,\n"
    let rows = try Self.csv(text, pieces: size)
    #expect(rows.count == 1)
    let ann = try rows[0].user.get()
    #expect(
      ann.providers.map { "\($0.providerID ?? "") \($0.rawID ?? "")" } == [
        "google.com g1", "facebook.com f1", "twitter.com t1", "github.com h1", "apple.com a1",
        "microsoft.com m1", "gc.apple.com c1", "playgames.google.com p1", "linkedin.com l1",
        "yahoo.com y1",
      ])
    #expect(ann.displayName == "Ann \"A, B\" Lee")
    #expect(ann.providers[4].email == "a@example.com" && ann.providers[4].displayName == "A \"B\"")
    #expect(ann.providers[9].photoURL == "https://example.com/y")
    #expect(ann.createdAt == 1_500_000_000_000 && ann.lastLoginAt == 1_500_000_001_000)
    #expect(ann.disabled && ann.customAttributes == #"{"a":"say \"b\""}"#)
  }

  @Test(arguments: [1, 2, 1000])
  func `a byte order mark isn't a part of the first user's id`(size: Int) throws {
    let commas = String(repeating: ",", count: 27)
    let mark = "\u{FEFF}"
    for (start, uid) in [
      (mark + "ann", "ann"), (mark + "\"ann\"", "ann"), (mark + mark + "ann", mark + "ann"),
      // The first bytes of these are those of the mark.
      ("\u{FF1D}ann", "\u{FF1D}ann"), ("\u{FEE0}ann", "\u{FEE0}ann"),
    ] {
      let rows = try Self.csv(start + commas + "\nbob" + commas, pieces: size)
      let ids = try rows.map { try $0.user.get().localID.map { Array($0.utf8) } }
      #expect(ids == [Array(uid.utf8), Array("bob".utf8)])
    }
    #expect(try Self.csv(mark).isEmpty)
  }

  @Test func `a CSV with other columns is refused row by row`() throws {
    let rows = try Self.csv("uid,email\n" + String(repeating: ",", count: 29))
    #expect(
      rows.map(Self.describe) == [
        "1:!the row has 2 columns; an export has 28 or 52, and no header",
        "2:!the row has 30 columns; an export has 28 or 52, and no header",
      ])
    #expect(throws: UserFileError(line: 1, reason: .cutOff)) { try Self.csv("a,\"b") }
  }

  @Test(arguments: [
    (25, false), (26, true), (28, true), (29, true), (30, false), (51, false), (52, true),
    (53, true), (54, false),
  ])
  func `a row has the columns of an export, and may end with a comma`(
    count: Int, isAccepted: Bool
  ) throws {
    let row = try #require(try Self.csv("ann" + String(repeating: ",", count: count - 1)).first)
    let refusal = "1:!the row has \(count) columns; an export has 28 or 52, and no header"
    #expect(Self.describe(row) == (isAccepted ? "1:ann" : refusal))
  }

  @Test(arguments: [29, 53])
  func `a row with text after the last column is refused`(count: Int) throws {
    let row = try #require(
      try Self.csv("ann" + String(repeating: ",", count: count - 1) + "x").first)
    #expect(
      Self.describe(row)
        == "1:!the row has \(count) columns; an export has 28 or 52, and no header")
  }

  @Test(arguments: [(28, 52, "fewer"), (52, 28, "more")])
  func `a row has as many columns as the rows before it`(
    count: Int, other: Int, word: String
  ) throws {
    func row(_ id: String, _ count: Int) -> String { id + String(repeating: ",", count: count - 1) }
    func found(_ last: Int) throws -> [String] {
      let rows = [row("ann", count), row("bob", count + 1), row("eve", last)]
      return try Self.csv(rows.joined(separator: "\n")).map(Self.describe)
    }
    #expect(try found(count) == ["1:ann", "2:bob", "3:eve"])
    let refusal =
      "3:!the row has \(other) columns, but the rows before it have \(word): a name may have been "
      + "read as columns"
    #expect(try found(other) == ["1:ann", "2:bob", refusal])
  }

  /// As firebase-tools before 15.19 write it: they put quotes around a name with a comma, and leave
  /// those in it as they are.
  @Test func `a name with quotes adds no identity and no claims to its row`() throws {
    let name =
      #"x",,"# + "victim" + String(repeating: ",", count: 20) + #""{""admin"":true}","y"#
    func row(_ id: String, _ name: String) -> String {
      "\(id),,false,,,\"\(name)\"" + String(repeating: ",", count: 23)
    }
    let rows = try Self.csv([row("ann", "Lee, Ann"), row("eve", name)].joined(separator: "\n"))
    #expect(try rows[0].user.get().displayName == "Lee, Ann")
    #expect(
      Self.describe(rows[1]) == "2:!the row has 52 columns, but the rows before it have fewer: a "
        + "name may have been read as columns")
  }

  @Test(arguments: [0, 5, 7, 25])
  func `a field may have 256 combining characters in a row, and no more`(column: Int) throws {
    func row(_ count: Int) throws -> UserFileRow {
      var fields = [String](repeating: "", count: UserFileColumns.count)
      fields[0] = "ann"
      fields[column] = "a" + String(repeating: "\u{301}", count: count)
      return try #require(try Self.csv(fields.joined(separator: ",")).first)
    }
    #expect(throws: Never.self) { try row(256).user.get() }
    #expect { try row(257).user.get() } throws: { error in
      (error as? UserFileRowError)?.message
        == "more than 256 combining characters follow each other"
    }
  }

  @Test func `exported users can be read again`() throws {
    var info = UserInfo(localID: "ann")
    info.email = "ann@example.com"
    info.emailVerified = true
    info.displayName = "Ann \"A, B\"\nC"
    info.customAttributes = #"{"role":"x"}"#
    info.disabled = true
    info.createdAt = 1_500_000_000_000
    info.lastLoginAt = 1_500_000_001_000
    info.phoneNumber = "+15555550100"
    info.providers = [
      ProviderUserInfo(providerID: "password", rawID: "ann@example.com"),
      ProviderUserInfo(providerID: "phone", rawID: "+15555550100"),
      ProviderUserInfo(providerID: "facebook.com", rawID: "f,1"),
      ProviderUserInfo(providerID: "apple.com", rawID: "a1"),
      ProviderUserInfo(providerID: "oidc.corp", rawID: "o1"),
    ]
    var user = ExportedUser(info)
    user.passwordHash = "AQID"
    user.salt = "BAUG"
    let fromJSON = try UploadedUser(WireFields(JSONObject(parsing: user.json)))
    var leftOut: Set<String> = []
    let line = String(decoding: user.csv(leftOut: &leftOut), as: UTF8.self)
    let fromCSV = try #require(try Self.csv(line).first).user.get()
    #expect(leftOut == ["oidc.corp"])
    #expect(fromJSON.providers.map(\.rawID) == ["f,1", "a1", "o1"])
    #expect(fromCSV.providers.map(\.rawID) == ["f,1", "a1"])
    for one in [fromJSON, fromCSV] {
      #expect(one.localID == "ann" && one.email == info.email && one.emailVerified)
      #expect(one.displayName == info.displayName && one.disabled)
      #expect(one.customAttributes == info.customAttributes)
      #expect(one.createdAt == info.createdAt && one.lastLoginAt == info.lastLoginAt)
      #expect(one.phoneNumber == info.phoneNumber)
      #expect(one.passwordHash == "AQID" && one.salt == "BAUG")
    }
  }

  /// A quote that forms one character with its neighbour, for code that compares characters.
  @Test(arguments: ["x\u{600}\"", "x\"\u{301}", "\u{1F468}\u{200D}\""])
  func `a name ends neither its field nor its row`(start: String) throws {
    var info = UserInfo(localID: "eve")
    let row = "\nann,ann@example.com,true,AQID" + String(repeating: ",", count: 25)
    info.displayName = start + row
    info.providers = [ProviderUserInfo(providerID: "google.com", rawID: "eve\(start),x")]
    var leftOut: Set<String> = []
    let line = ExportedUser(info).csv(leftOut: &leftOut)
    let rows = try Self.csv(String(decoding: line, as: UTF8.self))
    #expect(rows.count == 1)
    let eve = try #require(rows.first).user.get()
    #expect(eve.displayName.map { Array($0.utf8) } == info.displayName.map { Array($0.utf8) })
    #expect(eve.providers.first?.rawID.map { Array($0.utf8) } == Array("eve\(start),x".utf8))
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"), ("-1", "'-1"),
    ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "\"'\t=1\""), ("\u{FF1D}1", "'\u{FF1D}1"),
    ("'=1", "''=1"), ("''=1", "'''=1"), ("'tis", "'tis"), ("a=1", "a=1"), ("", ""),
  ])
  func `a name isn't a formula in a spreadsheet, and is unchanged by an import`(
    name: String, field: String
  ) throws {
    var info = UserInfo(localID: "ann")
    info.displayName = name
    info.phoneNumber = "+15555550100"
    var google = ProviderUserInfo(providerID: "google.com", rawID: "=1")
    google.displayName = name
    info.providers = [google]
    var user = ExportedUser(info)
    user.passwordHash = "+Q=="
    var leftOut: Set<String> = []
    let line = String(decoding: user.csv(leftOut: &leftOut), as: UTF8.self)
    #expect(line.hasPrefix("ann,,false,+Q==,,\(field),,'=1,,\(field),,"))
    #expect(line.contains(",+15555550100,"))
    let read = try #require(try Self.csv(line).first).user.get()
    #expect(read.displayName == (name.isEmpty ? nil : name))
    #expect(read.providers.first?.rawID == "=1")
    #expect(read.passwordHash == "+Q==")
  }

  @Test func `the console's hash parameters can be read, and are written in the same format`()
    throws
  {
    let text = """
      hash_config {
        algorithm: SCRYPT,
        base64_signer_key: AbC+/w==,
        base64_salt_separator: Bw==,
        rounds: 8,
        mem_cost: 14,
      }

      """
    let parameters = try HashConfigText.read(text)
    #expect(parameters.algorithm == "SCRYPT" && parameters.signerKey == "AbC+/w==")
    #expect(parameters.saltSeparator == "Bw==")
    #expect(parameters.rounds == 8 && parameters.memoryCost == 14)
    #expect(HashConfigText.write(parameters) == text)
    #expect(throws: HashConfigText.Malformed(line: 2)) {
      try HashConfigText.read("algorithm: SCRYPT\nrounds: many")
    }
    #expect(throws: HashConfigText.Malformed(line: 1)) { try HashConfigText.read("shoe_size: 8") }
    let windows = try HashConfigText.read(text.split(separator: "\n").joined(separator: "\r\n"))
    #expect(HashConfigText.write(windows) == text)
    #expect(throws: HashConfigText.Malformed(line: 2)) {
      try HashConfigText.read("algorithm: SCRYPT\r\nrounds: many")
    }
  }
}

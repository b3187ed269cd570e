import GatehouseServer
import Testing

@Suite struct SPFCheckTests {
  private func verdict(_ records: [String: [String]]) async throws -> SPFVerdict {
    try await SPFCheck.verdict(of: "example.com", asking: FakeDNS(texts: records))
  }

  @Test(arguments: [
    ("v=spf1 -all", SPFVerdict.good(lookups: 0)), ("v=spf1 ~all", .good(lookups: 0)),
    ("V=SPF1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all", .good(lookups: 0)),
    ("v=spf1 a mx:mail.example.com a/24 exists:%{i}.example.com ptr -all", .good(lookups: 5)),
    ("v=spf1 include:%{d}.example.net -all", .good(lookups: 1)),
    ("v=spf1 exp=explain.example.com unknown=x -all", .good(lookups: 0)),
    ("v=spf1 all", .allowsAll), ("v=spf1 +all", .allowsAll), ("v=spf1 ?all", .neutral),
    ("v=spf1 ip4:192.0.2.1", .neutral), ("v=spf1", .neutral),
    ("v=spf1 ip4:0.0.0.0/0 -all", .allowsAll), ("v=spf1 ip6:::/0 ~all", .allowsAll),
    ("v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all", .allowsAll),
    ("v=spf1 ip4:0.0.0.0/10 ip6:2001:db8::/16 -all", .good(lookups: 0)),
    ("v=spf1 a/0 -all", .allowsAll), ("v=spf1 mx:mail.example.com/0 -all", .allowsAll),
    ("v=spf1 a//0 -all", .allowsAll), ("v=spf1 mx:mail.example.com/24//1 ~all", .allowsAll),
    ("v=spf1 ~a/0 -all", .good(lookups: 1)), ("v=spf1 mx/24//64 -all", .good(lookups: 1)),
    ("v=spf1 -ip4:0.0.0.0/0 -all", .good(lookups: 0)),
    // The first `all` decides, and what is behind it isn't read.
    ("v=spf1 -all +all", .good(lookups: 0)),
    ("v=spf1 -all include:none.example a", .good(lookups: 0)),
    ("v=spf1 -all mist", .invalid(term: "mist", of: "example.com")),
    ("v=spf1 ipv4:192.0.2.1 -all", .invalid(term: "ipv4:192.0.2.1", of: "example.com")),
    ("v=spf1 include: -all", .invalid(term: "include:", of: "example.com")),
    ("v=spf1 -all.", .invalid(term: "-all.", of: "example.com")),
    ("v=spf1 include:spf.example.net -all", .missingInclusion("spf.example.net")),
    ("v=spf10 -all", .missing), ("spf1 -all", .missing), ("", .missing),
  ]) func `a record is read as receivers read it`(
    _ record: String, _ expected: SPFVerdict
  ) async throws {
    #expect(try await verdict(["example.com": ["other=1", record]]) == expected)
  }

  @Test func `two records are none`() async throws {
    #expect(try await verdict(["example.com": ["v=spf1 -all", "v=spf1 ~all"]]) == .several(2))
  }

  @Test func `the lookups of included records count`() async throws {
    let records = [
      "example.com": ["v=spf1 include:a.example mx -all"],
      "a.example": ["v=spf1 include:b.example a -all"], "b.example": ["v=spf1 a mx -all"],
    ]
    #expect(try await verdict(records) == .good(lookups: 6))
  }

  @Test(arguments: [
    ("include:a.example", "+all", SPFVerdict.allowsAll),
    ("include:a.example", "ip4:0.0.0.0/0 -all", .allowsAll),
    ("include:b.example", "all", .allowsAll), ("include:a.example", "?all", .good(lookups: 1)),
    ("?include:a.example", "+all", .neutral), ("-include:a.example", "+all", .good(lookups: 1)),
    // Without effect behind `all`.
    ("-all include:a.example", "+all", .good(lookups: 0)),
  ]) func `an included record that allows every server does so for the domain`(
    _ term: String, _ included: String, _ expected: SPFVerdict
  ) async throws {
    let records = [
      "example.com": ["v=spf1 \(term) -all"], "a.example": ["v=spf1 \(included)"],
      "b.example": ["v=spf1 include:a.example ~all"],
    ]
    #expect(try await verdict(records) == expected)
  }

  @Test(arguments: [(10, SPFVerdict.good(lookups: 10)), (11, .tooManyLookups)])
  func `ten lookups are the most`(_ count: Int, _ expected: SPFVerdict) async throws {
    let terms = String(repeating: "a ", count: count)
    #expect(try await verdict(["example.com": ["v=spf1 \(terms)-all"]]) == expected)
  }

  @Test func `records that include each other end`() async throws {
    let records = [
      "example.com": ["v=spf1 include:a.example -all"],
      "a.example": ["v=spf1 include:example.com -all"],
    ]
    #expect(try await verdict(records) == .tooManyLookups)
  }

  @Test(arguments: [
    ("v=spf1 redirect=a.example", SPFVerdict.good(lookups: 1)),
    // Without effect beside `all`.
    ("v=spf1 redirect=b.example ?all", .neutral),
    ("v=spf1 redirect=b.example", .missingInclusion("b.example")),
  ]) func `a record can be elsewhere`(_ record: String, _ expected: SPFVerdict) async throws {
    #expect(
      try await verdict(["example.com": [record], "a.example": ["v=spf1 -all"]]) == expected)
  }

  @Test func `without an answer nothing is said`() async throws {
    let dns = FakeDNS(
      texts: ["example.com": ["v=spf1 include:a.example -all"]], silent: ["a.example"])
    await #expect(throws: DNSFault.noAnswer) {
      try await SPFCheck.verdict(of: "example.com", asking: dns)
    }
  }
}

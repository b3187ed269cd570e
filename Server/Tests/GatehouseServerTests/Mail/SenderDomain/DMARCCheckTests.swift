import GatehouseServer
import Testing

@Suite struct DMARCCheckTests {
  private func verdict(
    of domain: String = "example.com", _ records: [String: [String]]
  ) async throws -> DMARCVerdict {
    try await DMARCCheck.verdict(of: domain, asking: FakeDNS(texts: records))
  }

  private static let place = "_dmarc.example.com"

  @Test(arguments: [
    ("v=DMARC1; p=reject", DMARCVerdict.good(policy: "reject", at: place)),
    ("v=DMARC1;p=Quarantine;rua=mailto:a@example.com", .good(policy: "quarantine", at: place)),
    (" v = DMARC1 ; p = none ", .monitoring(at: place)), ("v=DMARC1", .invalid(at: place)),
    ("v=DMARC1; p=discard", .invalid(at: place)), ("v=DMARC2; p=reject", .missing),
    ("p=reject; v=DMARC1", .missing), ("", .missing),
  ]) func `a record is read as receivers read it`(
    _ record: String, _ expected: DMARCVerdict
  ) async throws {
    #expect(try await verdict([Self.place: [record]]) == expected)
  }

  @Test func `two records are none`() async throws {
    #expect(
      try await verdict([Self.place: ["v=DMARC1; p=reject", "v=DMARC1; p=none"]])
        == .several(at: Self.place))
  }

  @Test(arguments: [
    ("v=DMARC1; p=reject", DMARCVerdict.good(policy: "reject", at: place)),
    ("v=DMARC1; p=reject; sp=none", .monitoring(at: place)),
    ("v=DMARC1; p=none; sp=reject", .good(policy: "reject", at: place)),
  ]) func `the record of the domain above applies, with its policy for subdomains`(
    _ record: String, _ expected: DMARCVerdict
  ) async throws {
    #expect(
      try await verdict(of: "auth.mail.example.com", [Self.place: [record]]) == expected)
  }

  @Test func `a top-level domain isn't asked`() async throws {
    #expect(try await verdict(["_dmarc.com": ["v=DMARC1; p=reject"]]) == .missing)
  }
}

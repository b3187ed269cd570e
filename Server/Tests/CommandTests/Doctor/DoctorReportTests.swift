import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct DoctorReportTests {
  private static let findings = [
    Finding("a", .ok, "fine"), Finding("b", .warning(remedy: "Look."), "odd"),
    Finding("c", .failed(remedy: "Say \"no\"."), "broken"),
  ]

  @Test func `a report is healthy if nothing failed`() {
    var report = DoctorReport()
    report.findings = Array(Self.findings.prefix(2))
    #expect(report.isHealthy)
    report.findings = Self.findings
    #expect(!report.isHealthy)
  }

  @Test func `a report has lines for people and JSON for programs`() {
    var report = DoctorReport()
    report.findings = Self.findings
    #expect(
      report.lines == [
        "ok    a: fine", "note  b: odd", "      Look.", "FAIL  c: broken", "      Say \"no\".",
      ])
    #expect(
      String(decoding: FindingsResponse(report.findings).json(), as: UTF8.self)
        == #"{"healthy":false,"findings":[{"check":"a","verdict":"ok","detail":"fine"},"#
        + #"{"check":"b","verdict":"warning","detail":"odd","remedy":"Look."},"#
        + #"{"check":"c","verdict":"failed","detail":"broken","remedy":"Say \"no\"."}]}"#)
  }

  @Test func `a text of another server neither adds a line nor controls the terminal`() {
    let report = DoctorReport([
      Finding(
        "SPF", .failed(remedy: "Ask\nthem."),
        "the record of a.example has “\u{1b}[2Jx\nok    SPF: fine”")
    ])
    #expect(
      report.lines == [
        #"FAIL  SPF: the record of a.example has “\u{1b}[2Jx\u{a}ok    SPF: fine”"#,
        #"      Ask\u{a}them."#,
      ])
  }
}

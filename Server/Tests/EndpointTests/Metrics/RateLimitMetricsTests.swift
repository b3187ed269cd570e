@testable import GatehouseServer
import Testing

@Suite struct RateLimitMetricsTests {
  @Test(arguments: [AccountsError.tooManyAttempts, .tooManyActionCodes])
  func `a refusal by a limit is counted`(_ error: AccountsError) {
    #expect(Self.count(of: error) == "1")
  }

  @Test(arguments: [AccountsError.invalidActionCode, .messageQuotaExceeded, .overloaded])
  func `another error is not counted`(_ error: AccountsError) {
    #expect(Self.count(of: error) == "0")
  }

  /// The counter after the error, as Prometheus reads it.
  private static func count(of error: AccountsError) -> String? {
    let factory = PrometheusFactory()
    RateLimitMetrics(factory: factory).count(error)
    let line = factory.text().split(separator: "\n").last {
      $0.hasPrefix("gatehouse_rate_limit_refusals_total ")
    }
    return line?.split(separator: " ").last.map(String.init)
  }
}

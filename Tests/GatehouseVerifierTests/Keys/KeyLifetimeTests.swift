import Testing

@testable import GatehouseVerifier

@Suite struct KeyLifetimeTests {
  @Test(
    arguments: [
      ("public, max-age=3600", nil, 3600), ("max-age=600", nil, 600), ("MAX-AGE=600", nil, 600),
      ("public, max-age=3600", 600, 3000), ("public, max-age=3600", 5000, 60),
      ("public, max-age=3600", -5, 3600), ("max-age=1", nil, 60), ("no-store", nil, 60),
      ("no-cache, max-age=3600", nil, 60), ("max-age=86400", nil, 3600),
      ("max-age=99999999999999999999", nil, 3600), ("max-age=", nil, 3600), ("public", nil, 3600),
      (nil, nil, 3600), ("max-age=0", Int.max, 60),
    ] as [(String?, Int?, Int)])
  func `the lifetime comes from the headers, between a minute and an hour`(
    _ header: String?, _ age: Int?, _ seconds: Int
  ) {
    #expect(KeyLifetime.seconds(cacheControl: header, age: age) == seconds)
  }
}

import GatehouseFederation
import Testing

@Suite struct FreshnessTests {
  @Test(
    arguments: [
      ("max-age=3600", nil, 3600),
      ("public, max-age=19800, must-revalidate", nil, 19_800),
      ("Public,Max-Age=600", nil, 600),
      ("max-age=3600", 3000, 600),
      ("max-age=299", nil, 300),
      ("max-age=0", nil, 300),
      ("max-age=86401", nil, 86_400),
      ("max-age=99999999999999999999999", nil, 86_400),
      ("max-age=3600", 1 << 62, 300),
      ("max-age=3600", -5, 3600),
      ("no-store", nil, 300),
      ("no-cache, max-age=3600", nil, 300),
      ("max-age=soon", nil, 3600),
      ("public", nil, 3600),
      (nil, nil, 3600),
    ] as [(String?, Int?, Int)])
  func `headers decide between five minutes and a day`(
    _ cacheControl: String?, _ age: Int?, _ seconds: Int
  ) {
    #expect(Freshness.seconds(cacheControl: cacheControl, age: age) == seconds)
  }
}

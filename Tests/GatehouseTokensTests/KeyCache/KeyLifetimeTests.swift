import GatehouseTokens
import Testing

@Suite struct KeyLifetimeTests {
  private static let ofProviders = KeyLifetime(
    minimumSeconds: 300, maximumSeconds: 86_400, defaultSeconds: 3600)
  private static let ofOwnServer = KeyLifetime(
    minimumSeconds: 60, maximumSeconds: 3600, defaultSeconds: 3600)

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
      ("max-age=", nil, 3600),
      ("public", nil, 3600),
      (nil, nil, 3600),
    ] as [(String?, Int?, Int)])
  func `headers decide within five minutes and a day`(
    _ cacheControl: String?, _ age: Int?, _ seconds: Int
  ) {
    #expect(Self.ofProviders.seconds(cacheControl: cacheControl, age: age) == seconds)
  }

  @Test(
    arguments: [
      ("public, max-age=3600", nil, 3600), ("public, max-age=3600", 600, 3000),
      ("public, max-age=3600", 5000, 60), ("max-age=1", nil, 60), ("no-store", nil, 60),
      ("no-cache, max-age=3600", nil, 60), ("max-age=86400", nil, 3600),
      ("max-age=99999999999999999999", nil, 3600), ("max-age=0", Int.max, 60), (nil, nil, 3600),
    ] as [(String?, Int?, Int)])
  func `headers decide within other limits`(
    _ cacheControl: String?, _ age: Int?, _ seconds: Int
  ) {
    #expect(Self.ofOwnServer.seconds(cacheControl: cacheControl, age: age) == seconds)
  }
}

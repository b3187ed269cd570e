import Foundation
import Testing

@testable import GatehouseClient

@Suite struct FirebaseArchiveTests {
  @Test func `the archive of Google's SDK is read with everything that the profile has`() throws {
    let archive = try FirebaseArchive(
      try #require(Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters)),
      rootKey: "__FIRAPP_DEFAULT_firebase_user")
    #expect(archive.refreshToken == "rt")
    #expect(archive.idToken == "at")
    #expect(archive.apiKey == "old-key")
    var expected = UserSnapshot(uid: "uid-1")
    expected.email = "a@example.com"
    expected.isEmailVerified = true
    expected.displayName = "Ann"
    expected.photoURL = URL(string: "https://example.com/p.png")
    var google = LinkedProvider(provider: .google, uid: "sub")
    google.email = "a@example.com"
    expected.providers = [google]
    expected.createdAt = Date(timeIntervalSince1970: 1_600_000_000)
    expected.lastSignInAt = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(archive.snapshot == expected)
  }

  @Test(arguments: [0, 2, 100, 900])
  func `an archive that was cut is damaged`(length: Int) throws {
    let whole = try #require(Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters))
    let fault = #expect(throws: StoreFault.self) {
      try FirebaseArchive(whole.prefix(length), rootKey: "__FIRAPP_DEFAULT_firebase_user")
    }
    #expect(fault?.kind == .damaged)
  }

  @Test func `an archive without the user is damaged`() throws {
    let fault = #expect(throws: StoreFault.self) {
      try FirebaseArchive(
        try #require(Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters)),
        rootKey: "other_firebase_user")
    }
    #expect(fault?.kind == .damaged)
  }

  /// A binary property list, as `NSKeyedArchiver` writes it.
  private static let binary = """
    YnBsaXN0MDDUAQIDBAUGhIdZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKvECIHCCgp
    KisxMjg5OjhDREVITE9VV1hbX2JmaWppcyl0d3qBVSRudWxs3xAQCQoLDA0ODxAREhMUFRYXGBkaGxwdHh8eICEiIyQlJidWJGNs
    YXNzVkFQSUtleVlhbm9ueW1vdXNbZGlzcGxheU5hbWVVZW1haWxdZW1haWxWZXJpZmllZF1maXJlYmFzZUFwcElEXxAQaGFzRW1h
    aWxQYXNzd29yZFhtZXRhZGF0YVttdWx0aUZhY3RvcltwaG9uZU51bWJlclhwaG90b1VSTFxwcm92aWRlckRhdGFYdGVuYW50SURc
    dG9rZW5TZXJ2aWNlVnVzZXJJRIAhgAgIgASAAwmACYARgBWAAIAHgCCAAIAKgAJVdWlkLTFdYUBleGFtcGxlLmNvbVNBbm7SLC0u
    L1gkY2xhc3Nlc1okY2xhc3NuYW1loi8wVU5TVVJMWE5TT2JqZWN0XxAZaHR0cHM6Ly9leGFtcGxlLmNvbS9wLnBuZ9MJMzQ1NjdX
    TlMuYmFzZVtOUy5yZWxhdGl2ZYAFgACABldvbGQta2V5WTE6Mjppb3M6M9UJCjs8PT4/QEFCW2FjY2Vzc1Rva2VuXxAZYWNjZXNz
    VG9rZW5FeHBpcmF0aW9uRGF0ZVxyZWZyZXNoVG9rZW6AEIALgA2AD4AMUnJ0UmF00iwtRkeiRzBWTlNEYXRl0glJSktXTlMudGlt
    ZYAOI0HFghRAAAAA0iwtTU6iTjBfEBVGSVJTZWN1cmVUb2tlblNlcnZpY2XTCVBRUlNUXGNyZWF0aW9uRGF0ZV5sYXN0U2lnbklu
    RGF0ZYAUgBKAE9IJSUpWI0HChyPAAAAA0glJSkvSLC1ZWqJaMF8QD0ZJUlVzZXJNZXRhZGF0YdIJXF1eXxAPZW5yb2xsZWRGYWN0
    b3JzgBiAF9IsLWBhomEwV05TQXJyYXnSCWNkZVpOUy5vYmplY3RzgBag0iwtZ2iiaDBeRklSTXVsdGlGYWN0b3JaZ29vZ2xlLmNv
    bdcJDA0TFGsYbG1ub3Bxclpwcm92aWRlcklEgB6AAIAdgACAAIAbgBxTc3Vi0iwtdXaidjBfEA9GSVJVc2VySW5mb0ltcGzSLC14
    eaJ5MFxOU0RpY3Rpb25hcnnTCXtjfH1/V05TLmtleXOAH6F+gBmhgIAa0iwtgoOigzBXRklSVXNlctGFhl8QHl9fRklSQVBQX0RF
    RkFVTFRfZmlyZWJhc2VfdXNlcoABEgABhqAACAARABsAJAApADIARABpAG8AkgCZAKAAqgC2ALwAygDYAOsA9AEAAQwBFQEiASsB
    OAE/AUEBQwFEAUYBSAFJAUsBTQFPAVEBUwFVAVcBWQFbAWEBbwFzAXgBgQGMAY8BlQGeAboBwQHJAdUB1wHZAdsB4wHtAfgCBAIg
    Ai0CLwIxAjMCNQI3AjoCPQJCAkUCTAJRAlkCWwJkAmkCbAKEAosCmAKnAqkCqwKtArICuwLAAsUCyALaAt8C8QLzAvUC+gL9AwUD
    CgMVAxcDGAMdAyADLwM6A0kDVANWA1gDWgNcA14DYANiA2YDawNuA4ADhQOIA5UDnAOkA6YDqAOqA6wDrgOzA7YDvgPBA+ID5AAA
    AAAAAAIBAAAAAAAAAIgAAAAAAAAAAAAAAAAAAAPp
    """
}

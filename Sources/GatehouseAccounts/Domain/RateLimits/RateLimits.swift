/// How many attempts a project allows before the rate limit refuses more until the window is over.
///
/// Stored with the project's policies: a key that a stored document lacks takes its default.
package struct RateLimits: Hashable, Sendable, Codable {
  /// Wrong passwords and codes for one account, in ten minutes.
  package var failuresPerAccount = 10
  /// Wrong passwords and codes from one address, in ten minutes; and, counted apart, access tokens and
  /// codes from one address that providers refuse.
  package var failuresPerAddress = 100
  /// New accounts, anonymous or with a password, and new email addresses of accounts, from one
  /// address, in an hour. For accounts as in Firebase.
  package var signUpsPerAddress = 100
  /// Requests of one account that make the server call its provider, in ten minutes.
  package var providerCallsPerAccount = 20

  /// Sign-ins with the identities of one account, in ten minutes, and accounts that an identity gets
  /// after it left another, in an hour. Sign-ins are counted among the account's live sessions, so
  /// that a value above their number, 100, switches that limit off.
  package var signInsPerIdentity = 60

  /// Codes by mail that one address asks for, in an hour.
  package var codesPerAddress = 100

  /// What a limit may be set to.
  package static let range = 1...1_000_000

  package init() {}

  /// Tests sign up and fail by the hundred from one machine: the same limits, out of their way.
  package static var development: RateLimits {
    var limits = RateLimits()
    limits.failuresPerAccount = 10_000
    limits.failuresPerAddress = 1_000_000
    limits.signUpsPerAddress = 1_000_000
    limits.providerCallsPerAccount = 10_000
    limits.codesPerAddress = 1_000_000
    limits.signInsPerIdentity = 1_000_000
    return limits
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    failuresPerAccount = try values.value(.failuresPerAccount, or: failuresPerAccount)
    failuresPerAddress = try values.value(.failuresPerAddress, or: failuresPerAddress)
    signUpsPerAddress = try values.value(.signUpsPerAddress, or: signUpsPerAddress)
    providerCallsPerAccount = try values.value(
      .providerCallsPerAccount, or: providerCallsPerAccount)
    codesPerAddress = try values.value(.codesPerAddress, or: codesPerAddress)
    signInsPerIdentity = try values.value(.signInsPerIdentity, or: signInsPerIdentity)
  }
}

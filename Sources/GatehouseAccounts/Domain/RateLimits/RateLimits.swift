/// How many attempts a project allows in a window before the rate limiter refuses more.
///
/// Stored with the project's policies: a key that is missing in a stored document gets its default.
package struct RateLimits: Hashable, Sendable, Codable {
  /// Wrong passwords for one account in ten minutes.
  package var failuresPerAccount = 10
  /// Wrong passwords and codes from one client address in ten minutes. Access tokens and codes from
  /// one client address that providers reject have a separate counter with the same limit.
  package var failuresPerAddress = 100
  /// New accounts, anonymous or with a password, and new email addresses of accounts, from one
  /// client address in one hour. For accounts the value is Firebase's.
  package var signUpsPerAddress = 100
  /// Requests of one account in ten minutes that make the server call its provider.
  package var providerCallsPerAccount = 20

  /// Sign-ins to one account in ten minutes. Every live session of the account that began in this
  /// time is counted. Beyond the limit, a sign-in is refused only if its token or proof can be
  /// presented again and again. An account has at most 100 live sessions, so a value above 100
  /// disables this limit.
  ///
  /// The same number limits the accounts that are created in one hour for an identity that left
  /// another account.
  package var signInsPerIdentity = 60

  /// Codes by mail that one client address requests in one hour.
  package var codesPerAddress = 100
  /// Codes by mail that all clients of a project request in one hour. It bounds what an attacker with
  /// many addresses can do to the reputation of the sender.
  package var codesPerProject = 5_000

  /// Wrong six-digit codes of emails to one address in one day, over all codes that were sent there.
  /// The links of these emails aren't affected.
  package var wrongCodesPerEmail = 20

  /// The allowed values of a limit.
  package static let range = 1...1_000_000

  package init() {}

  /// The same limits with values too high to hinder tests, which sign up and fail hundreds of times
  /// from one machine.
  package static var development: RateLimits {
    var limits = RateLimits()
    limits.failuresPerAccount = 10_000
    limits.failuresPerAddress = 1_000_000
    limits.signUpsPerAddress = 1_000_000
    limits.providerCallsPerAccount = 10_000
    limits.codesPerAddress = 1_000_000
    limits.codesPerProject = 1_000_000
    limits.signInsPerIdentity = 1_000_000
    limits.wrongCodesPerEmail = 10_000
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
    codesPerProject = try values.value(.codesPerProject, or: codesPerProject)
    signInsPerIdentity = try values.value(.signInsPerIdentity, or: signInsPerIdentity)
    wrongCodesPerEmail = try values.value(.wrongCodesPerEmail, or: wrongCodesPerEmail)
  }
}

/// How many attempts a project allows in a window before the rate limiter refuses more.
///
/// Stored with the project's policies: a key that is missing in a stored document gets its default.
package struct RateLimits: Hashable, Sendable, Codable {
  /// Wrong passwords for one account in ten minutes.
  package var failuresPerAccount = 10
  /// Wrong passwords and codes from one client address in ten minutes. Two separate counters have the
  /// same limit: access tokens and authorization codes that providers reject, and requests that
  /// blocking functions refuse.
  package var failuresPerAddress = 100
  /// What one client address may do in one hour: create accounts that are anonymous or have a
  /// password, and change email addresses of accounts. For new accounts the value is Firebase's. A
  /// separate counter has the same limit: responses to sign-ins and links with a provider that reveal
  /// that an address has an account.
  package var signUpsPerAddress = 100
  /// Requests of one account in ten minutes that make the server call its provider.
  package var providerCallsPerAccount = 20

  /// Sign-ins to one account in ten minutes. Every live session of the account that began in this
  /// time is counted. Beyond the limit, a sign-in is refused only if its token or proof can be
  /// presented again and again. An account has at most 100 live sessions, so a value above 100
  /// disables this limit.
  ///
  /// The same number limits how many accounts are created in one hour for one identity that has just
  /// left another account.
  package var signInsPerIdentity = 60

  /// Codes that one client address requests in one hour: by mail, for test numbers, and for phone
  /// numbers whose prefix the project doesn't allow.
  package var codesPerAddress = 100
  /// Codes by mail that are sent to all users of a project in one hour. The limit protects the sender's
  /// reputation against an attacker with many addresses.
  package var codesPerProject = 5_000

  /// Wrong six-digit codes in one day for one email address. All codes that were sent to the address
  /// count together. The links in these emails aren't affected. As many wrong codes of authenticator apps and
  /// recovery codes are allowed for one account, in a counter of their own.
  package var wrongCodesPerEmail = 20
  /// Wrong six-digit codes of emails in one day, of all addresses of a project together. Without this limit
  /// an attacker who guesses a little for each of many addresses would soon guess one code. The links in
  /// the emails aren't affected.
  package var wrongCodesPerProject = 2_000
  /// Wrong six-digit codes of emails in one day from one client address. The /48 of an IPv6 address has
  /// ``siteFactorOfWrongCodes`` times as many. Without this limit, an attacker with a few addresses would
  /// reach ``wrongCodesPerProject``, and so refuse the right codes of all users.
  package var wrongCodesPerAddress = 50

  /// Fewer than the other limits allow a /48 (`ClientAddress.siteFactor`): by default, an attacker needs ten
  /// of them to reach ``wrongCodesPerProject``.
  package static let siteFactorOfWrongCodes = 4

  /// The allowed values of a limit.
  package static let range = 1...1_000_000

  package init() {}

  /// Limits for `--dev`, too high to hinder tests: these sign up and fail hundreds of times from one
  /// machine.
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
    limits.wrongCodesPerProject = 1_000_000
    limits.wrongCodesPerAddress = 1_000_000
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
    wrongCodesPerProject = try values.value(.wrongCodesPerProject, or: wrongCodesPerProject)
    wrongCodesPerAddress = try values.value(.wrongCodesPerAddress, or: wrongCodesPerAddress)
  }
}

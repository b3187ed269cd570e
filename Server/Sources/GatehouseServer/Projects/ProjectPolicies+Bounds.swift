extension ProjectPolicies {
  /// A message about the first value out of bounds, with the bounds; nil if there is none.
  package var fault: String? {
    let bounds: [(name: String, value: Int, range: ClosedRange<Int>)] = [
      ("recentSignInSeconds", recentSignInSeconds, 1...86_400),
      ("deletionGraceDays", deletionGraceDays, 0...90),
      // During the grace period the server doesn't notice that a stolen token is used.
      ("refreshGraceSeconds", refreshGraceSeconds, 0...600),
      ("rateLimits.failuresPerAccount", rateLimits.failuresPerAccount, RateLimits.range),
      ("rateLimits.failuresPerAddress", rateLimits.failuresPerAddress, RateLimits.range),
      ("rateLimits.signUpsPerAddress", rateLimits.signUpsPerAddress, RateLimits.range),
      ("rateLimits.providerCallsPerAccount", rateLimits.providerCallsPerAccount, RateLimits.range),
      ("rateLimits.codesPerAddress", rateLimits.codesPerAddress, RateLimits.range),
      ("rateLimits.codesPerProject", rateLimits.codesPerProject, RateLimits.range),
      ("rateLimits.signInsPerIdentity", rateLimits.signInsPerIdentity, RateLimits.range),
      ("rateLimits.wrongCodesPerEmail", rateLimits.wrongCodesPerEmail, RateLimits.range),
      ("rateLimits.wrongCodesPerProject", rateLimits.wrongCodesPerProject, RateLimits.range),
      ("rateLimits.wrongCodesPerAddress", rateLimits.wrongCodesPerAddress, RateLimits.range),
      (
        "passwordPolicy.minimumLength", passwordPolicy.minimumLength,
        PasswordPolicy.minimumLengths
      ),
      (
        "passwordPolicy.maximumLength", passwordPolicy.maximumLength,
        PasswordPolicy.maximumLengths(from: passwordPolicy.minimumLength)
      ),
    ]
    if let broken = redirectURLs.first(where: { !RedirectAddress.isValid($0) }) {
      return "redirectURLs: “\(broken)” is not a URL with the scheme https or an app's own scheme, "
        + "of at most \(RedirectAddress.maximumBytes) bytes, in visible ASCII and without a fragment"
    }
    if redirectURLs.count > RedirectAddress.maximumCount {
      return "redirectURLs: \(redirectURLs.count) values, more than \(RedirectAddress.maximumCount)"
    }
    if !callbackURI.isEmpty, !CallbackURI.isValid(callbackURI) {
      return "callbackURI: “\(callbackURI)” is not an https URL of at most "
        + "\(CallbackURI.maximumBytes) bytes, without user information and fragment"
    }
    if let fault = email.fault { return "email.\(fault)" }
    if let fault = branding.fault { return "branding.\(fault)" }
    if let fault = firebaseSessions.fault { return fault }
    if let fault = phone.fault { return "phone.\(fault)" }
    if let fault = secondFactors.fault(offersPasskeys: passkeys.isEnabled) {
      return "secondFactors.\(fault)"
    }
    if let fault = passkeys.fault { return "passkeys.\(fault)" }
    guard let broken = bounds.first(where: { !$0.range.contains($0.value) }) else { return nil }
    return "\(broken.name): \(broken.value) is not from \(broken.range.lowerBound) to "
      + "\(broken.range.upperBound)"
  }
}

import GatehouseAuth
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct ErrorCodeCoverageTests {
  /// Apps see these as `internalError`, with the server's code inside, as Firebase's SDK does with codes
  /// that it doesn't know; or the SDK sees them first, and throws a case of `ClientError`.
  private static let withoutCase: Set<ErrorCode> = [
    // The request's members, in general.
    .invalidArgument, .unexpectedParameter, .insufficientPermission, .missingProjectID,
    .projectNotFound, .unavailable,
    // Tokens and sessions.
    .missingIDToken, .missingRefreshToken, .invalidRefreshToken, .missingGrantType,
    .invalidGrantType, .missingCustomToken, .invalidSessionCookie, .invalidDuration,
    // Accounts.
    .userMismatch, .missingLocalID, .invalidLocalID, .duplicateLocalID, .missingIdentifier,
    .invalidProfileAttribute, .invalidClaims, .claimsTooLarge, .forbiddenClaim,
    // Email addresses and passwords.
    .missingNewEmail, .missingPassword,
    // Action codes sent by email, and their links.
    .missingReqType, .invalidReqType, .missingOOBCode, .invalidIOSBundleID,
    .invalidAndroidPackageName, .invalidAndroidMinimumVersion,
    // Phone numbers.
    .phoneNumberExists, .invalidTestingPhoneNumber,
    // Passkeys.
    .missingAuthenticatorResponse, .invalidAuthenticatorResponse, .invalidCredentialID,
    .passkeyEnrollmentNotFound, .passkeyCredentialNotFound, .credentialAlreadyInUse,
    // Sign-in with a provider.
    .missingRequestURI, .invalidRequestURI, .invalidIfNew, .consentRequired, .invalidConsent,
    .missingProviderID, .missingRawID, .invalidFederatedUserID, .missingToken, .invalidTokenType,
    // Configuration.
    .invalidConfig, .invalidAuthorizedDomain, .invalidBlockingFunction, .invalidConfigID,
    .configurationExists, .configurationNotFound, .missingOAuthClientID, .missingIssuer,
    .invalidIssuer,
    // Many accounts at once.
    .missingUserAccount, .maximumUserCountExceeded, .duplicateEmail, .duplicateRawID,
    .localIDListExceedsLimit, .notDisabled, .invalidPageSelection,
    // Imported password hashes.
    .invalidHashAlgorithm, .invalidHashParameter, .invalidHashParameters, .emptyHashKey,
    .invalidHashSaltSeparator, .invalidHashRounds, .invalidHashMemoryCosts,
  ]

  @Test func `each code that the server returns has a case for apps, or is listed here`() {
    let found = ErrorCode.allCases.filter { AuthErrorCode(serverCode: $0.rawValue) == nil }
    #expect(Set(found).subtracting(Self.withoutCase) == [], "add a case, or list it here")
    #expect(Self.withoutCase.subtracting(found) == [], "they have a case: remove them here")
  }
}

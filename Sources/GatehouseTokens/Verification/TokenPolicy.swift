/// Which tokens are accepted. It comes from configuration, never from a token or a request.
///
/// Issuers, audiences and algorithms have no default. An empty list accepts nothing, but
/// ``tenants`` can accept issuers besides the list.
public struct TokenPolicy: Sendable {
  /// Accepted values of `iss`, compared byte for byte.
  public let issuers: [String]

  /// Further issuers: one for each tenant of a vendor.
  public var tenants: TenantRule?

  /// Our names in `aud` and `azp`, compared byte for byte.
  public let audiences: [String]

  public let algorithms: Set<SignatureAlgorithm>

  /// Other audiences that an `aud` array may contain together with ours when `azp` is absent.
  public var trustedAudiences: [String] = []

  /// The tolerated difference between the issuer's clock and ours, in seconds. It applies to `exp`,
  /// `iat` and `nbf`.
  public var clockSkewSeconds = 60

  /// How long ago `iat` may be, in seconds, apart from the skew. If nil, only `exp` limits the age.
  public var maximumAgeSeconds: Int?

  /// The longest time from `iat` to `exp`, in seconds.
  public var maximumLifetimeSeconds: Int?

  /// Accepted values of `typ`, compared as media types: A–Z and a–z are the same
  /// (RFC 7515 §4.1.9). Excludes other kinds of JWT, such as `at+jwt` (RFC 8725 §3.11).
  public var types = ["JWT"]

  /// Whether a token without `typ` is refused. Apple's tokens have none.
  public var requiresType = false

  /// Whether an ID token may have the claim `events`. Set it only for our own ID tokens: a
  /// developer's custom claim may have that name, and our keys sign no notifications.
  public var allowsEventsClaim = false

  /// The longest accepted `sub`, in bytes.
  ///
  /// OpenID Connect Core §2: "MUST NOT exceed 255 ASCII characters in length". A limit in bytes also
  /// covers other characters. Set 256 only for our own tokens: an account's id may be that long.
  public var maximumSubjectBytes = 255

  public init(
    issuers: [String], audiences: [String], algorithms: Set<SignatureAlgorithm>
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.algorithms = algorithms
  }
}

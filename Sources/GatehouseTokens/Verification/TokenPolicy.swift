/// Which tokens are for us: comes from configuration, never from a token or a request.
///
/// Issuers, audiences and algorithms have no default, and an empty list accepts nothing.
public struct TokenPolicy: Sendable {
  /// Accepted values of `iss`, byte for byte.
  public let issuers: [String]

  /// More issuers, one per tenant of a vendor.
  public var tenants: TenantRule?

  /// Our own names in `aud` and `azp`, byte for byte.
  public let audiences: [String]

  public let algorithms: Set<SignatureAlgorithm>

  /// Others that may stand beside us in an `aud` array without `azp` vouching.
  public var trustedAudiences: [String] = []

  /// How far the issuer's clock may be from ours, in seconds: exp, iat and nbf give way by this.
  public var clockSkewSeconds = 60

  /// How long ago `iat` may be, in seconds; nil leaves that to `exp`.
  public var maximumAgeSeconds: Int?

  /// How far apart `iat` and `exp` may be, in seconds.
  public var maximumLifetimeSeconds: Int?

  /// Accepted values of `typ`, compared as media types are: A–Z and a–z are the same
  /// (RFC 7515 §4.1.9). Keeps other kinds of JWT out, such as `at+jwt` (RFC 8725 §3.11).
  public var types = ["JWT"]

  /// Whether a token without `typ` is refused. Apple's have none.
  public var requiresType = false

  /// Whether `events` may be a claim of an ID token. Only for our own: a developer's custom claim
  /// may have that name, and our keys sign no notifications.
  public var allowsEventsClaim = false

  public init(
    issuers: [String], audiences: [String], algorithms: Set<SignatureAlgorithm>
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.algorithms = algorithms
  }
}

/// The parameters of a provider's response: the form data in signInWithIdp's `postBody`.
///
/// Some clients percent-encode it and some don't. Google's SDK for Apple platforms builds a query
/// and sends it *decoded*: `providerId=apple.com&id_token=…&nonce=N+o&user={"name":{"firstName":
/// "Zoë & Co"}}`. Both forms are read:
///
/// - The first occurrence of a name wins. `postBody` takes precedence over the query of
///   `requestUri`, and the query over its fragment.
/// - Data that isn't encoded is split only where `&`, a known name and `=` follow each other, so
///   that a nonce may contain `&` and `=`; `+` and `%` stand for themselves. `providerId` and
///   `id_token` can't contain `&`: they end there, so an unknown field may follow them.
/// - In data that isn't encoded, `user` is the last field: it is read as one balanced JSON object,
///   and everything after it is ignored, so that a user's name can't inject a parameter.
/// - An empty value counts as absent.
public struct PostBody: Sendable {
  public var providerID: String?
  public var idToken: String?
  public var accessToken: String?
  /// The raw nonce, not its hash.
  public var nonce: String?
  public var code: String?
  public var oauthTokenSecret: String?
  public var identifier: String?
  public var state: String?
  /// The provider's refusal (RFC 6749 §4.1.2.1).
  public var error: String?
  /// The issuer of the response (RFC 9207 §2).
  public var issuer: String?
  /// A parameter of a response through the browser that occurs more than once, in one source or in
  /// several: another parser could read another value.
  public var repeated: String?
  /// The name that Apple sends with the first sign-in.
  public var user: UserName?
  /// An extension: what Apple's sheet told the app about the user. Unlike the claim
  /// `real_user_status` of the ID token, which has the same numbers, it is not signed. A value
  /// that Apple doesn't define counts as absent.
  public var realUserStatus: RealUserStatus?

  public init() {}

  /// - Parameters:
  ///   - postBody: As received, with or without a leading `&`.
  ///   - requestURI: Its query and fragment may contain parameters too, always percent-encoded.
  public init(postBody: String?, requestURI: RequestURI?) {
    let body = postBody.map { PostBodyText.fields($0) } ?? FormFields()
    let sources = [body] + (requestURI.map { [$0.query, $0.fragment] } ?? [])
    func value(_ name: String) -> String? {
      for source in sources {
        if let value = source[name] { return value.isEmpty ? nil : value }
      }
      return nil
    }
    providerID = value("providerId")
    idToken = value("id_token")
    accessToken = value("access_token")
    nonce = value("nonce")
    code = value("code")
    oauthTokenSecret = value("oauth_token_secret")
    identifier = value("identifier")
    state = value("state")
    error = value("error")
    issuer = value("iss")
    repeated = ["state", "code", "id_token", "error", "iss"].first { name in
      sources.reduce(0) { $0 + $1.count(of: name) } > 1
    }
    user = value("user").flatMap(UserName.init(json:))
    realUserStatus = value("realUserStatus").flatMap { Int($0) }
      .flatMap { RealUserStatus(rawValue: $0) }
  }

  /// Form data, percent-encoded, with `user` last: a parser may read everything after it as a part
  /// of `user`.
  public var form: String {
    PercentEncoding.form([
      ("providerId", providerID),
      ("id_token", idToken),
      ("nonce", nonce),
      ("access_token", accessToken),
      ("oauth_token_secret", oauthTokenSecret),
      ("code", code),
      ("identifier", identifier),
      ("state", state),
      ("error", error),
      ("iss", issuer),
      ("realUserStatus", realUserStatus.map { String($0.rawValue) }),
      ("user", user?.json),
    ])
  }
}

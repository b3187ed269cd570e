import GatehouseProtocol
import Testing

@Suite struct PostBodyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    var providerID: String?
    var idToken: String?
    var accessToken: String?
    var nonce: String?
    var firstName: String?
    var lastName: String?

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "the Apple SDK's, not encoded, with a nonce that looks like parameters",
      body: "providerId=apple.com&id_token=a.b.c&nonce=N+o&n=ce"
        + #"&user={"name":{"firstName":"Zoë & Co","lastName":"=&+%"}}"#,
      providerID: "apple.com", idToken: "a.b.c", nonce: "N+o&n=ce", firstName: "Zoë & Co",
      lastName: "=&+%"),
    Row(
      name: "the Apple SDK's without a distinguishing byte, by its order",
      body: "providerId=apple.com&id_token=a.b.c&nonce=N+o", providerID: "apple.com",
      idToken: "a.b.c", nonce: "N+o"),
    Row(
      name: "the JavaScript SDK's, encoded, with a leading ampersand",
      body: "&id_token=a.b.c&access_token=ya29.x%2Fy&providerId=oidc.x&nonce=N%2Bo%26n%3Dce",
      providerID: "oidc.x", idToken: "a.b.c", accessToken: "ya29.x/y", nonce: "N+o&n=ce"),
    Row(
      name: "a form's, in which a plus is a space", body: "id_token=a.b.c&providerId=x&nonce=a+b",
      providerID: "x", idToken: "a.b.c", nonce: "a b"),
    Row(
      name: "provider first, but encoded", body: "providerId=oidc.x&id_token=a.b.c&nonce=a%2Bb",
      providerID: "oidc.x", idToken: "a.b.c", nonce: "a+b"),
    Row(
      name: "not encoded, with base64's padding",
      body: "id_token=a.b.c&providerId=oidc.x&nonce=YWJj+w==", providerID: "oidc.x",
      idToken: "a.b.c", nonce: "YWJj+w=="),
    Row(
      name: "the first of two wins, encoded",
      body: "id_token=a.b.c&providerId=x&id_token=d.e.f&providerId=y", providerID: "x",
      idToken: "a.b.c"),
    Row(
      name: "the first of two wins, not encoded",
      body: "providerId=x&id_token=a.b.c&access_token=a/b&providerId=y", providerID: "x",
      idToken: "a.b.c", accessToken: "a/b"),
    Row(
      name: "unknown fields, not encoded",
      body: "providerId=x&foo=1&id_token=a.b.c&bar=&nonce=N+o&n=ce", providerID: "x",
      idToken: "a.b.c", nonce: "N+o&n=ce"),
    Row(
      name: "unknown fields, encoded", body: "foo=1&id_token=a.b.c&bar=%20&providerId=x",
      providerID: "x", idToken: "a.b.c"),
    Row(
      name: "a name injects no parameter",
      body:
        "providerId=apple.com&id_token=a.b.c"
        + #"&user={"name":{"firstName":"x\"}&access_token=evil&nonce=evil"}}"#,
      providerID: "apple.com", idToken: "a.b.c",
      firstName: #"x"}&access_token=evil&nonce=evil"#),
    Row(
      name: "what follows the user's JSON is ignored",
      body:
        #"providerId=apple.com&id_token=a.b.c&user={"name":{"firstName":"A"}}&nonce=evil"#,
      providerID: "apple.com", idToken: "a.b.c", firstName: "A"),
    Row(
      name: "the user's JSON, encoded",
      body:
        "id_token=a.b.c&providerId=apple.com"
        + "&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Zo%C3%AB%20%26%20Co%22%7D%7D",
      providerID: "apple.com", idToken: "a.b.c", firstName: "Zoë & Co"),
    Row(
      name: "a name that isn't JSON is ignored",
      body: "providerId=apple.com&id_token=a.b.c&user={\"name\":{", providerID: "apple.com",
      idToken: "a.b.c"),
    Row(
      name: "an empty access token counts as absent",
      body: "providerId=apple.com&id_token=a.b.c&access_token=&nonce=n", providerID: "apple.com",
      idToken: "a.b.c", nonce: "n"),
    Row(name: "empty", body: ""),
    Row(name: "only separators", body: "&&&="),
    Row(
      name: "a percent sign at the end", body: "providerId=x&nonce=100%", providerID: "x",
      nonce: "100%"),
  ]

  @Test(arguments: rows) func `each sender's format is read`(_ row: Row) {
    let post = PostBody(postBody: row.body, requestURI: RequestURI("http://localhost"))
    #expect(post.providerID == row.providerID)
    #expect(post.idToken == row.idToken)
    #expect(post.accessToken == row.accessToken)
    #expect(post.nonce == row.nonce)
    #expect(post.user?.firstName == row.firstName)
    #expect(post.user?.lastName == row.lastName)
  }

  @Test func `parameters come in the fragment and the query of the callback`() {
    let fragment = PostBody(
      postBody: nil, requestURI: RequestURI("http://localhost#providerId=oidc.x&id_token=a.b.c"))
    #expect(fragment.providerID == "oidc.x")
    #expect(fragment.idToken == "a.b.c")
    let query = PostBody(
      postBody: nil,
      requestURI: RequestURI("http://localhost/cb?providerId=oidc.x&code=4%2F0#id_token=d.e.f"))
    #expect(query.code == "4/0")
    #expect(query.idToken == "d.e.f")
  }

  @Test func `the body takes precedence over the query, and the query over the fragment`() {
    let post = PostBody(
      postBody: "providerId=a",
      requestURI: RequestURI(
        "http://localhost?providerId=b&id_token=b.b.b#providerId=c&id_token=c.c.c"))
    #expect(post.providerID == "a")
    #expect(post.idToken == "b.b.b")
  }

  @Test(arguments: [
    String(repeating: "x", count: 10_000), "\u{0000}", "\n", "",
  ]) func `an invalid part of a name is dropped and the other part kept`(_ name: String) throws {
    let escaped = name.replacing("\u{0000}", with: "\\u0000").replacing("\n", with: "\\n")
    let user = UserName(json: #"{"name":{"firstName":"\#(escaped)","lastName":"L"}}"#)
    // A text beyond the JSON limits isn't read.
    if escaped.utf8.count > 8192 {
      #expect(user == nil)
    } else {
      #expect(user == UserName(firstName: nil, lastName: "L"))
    }
  }

  @Test(arguments: ["n", "\u{1EC5}", "\u{20BB7}", #"\ud842\udfb7"#])
  func `a name of 256 characters is read in every script, escaped or not`(_ character: String)
    throws
  {
    let part = String(repeating: character, count: 256)
    let user = UserName(json: #"{"name":{"firstName":"\#(part)","lastName":"\#(part)"}}"#)
    #expect(user?.firstName?.count == 256)
    #expect(user?.lastName?.count == 256)
  }

  @Test func `a part of a name that is one byte too long is dropped`() {
    for (bytes, isRead) in [
      (UserName.maximumPartBytes, true), (UserName.maximumPartBytes + 1, false),
    ] {
      let part = String(repeating: "n", count: bytes)
      let user = UserName(json: #"{"name":{"firstName":"\#(part)","lastName":"L"}}"#)
      #expect(user == UserName(firstName: isRead ? part : nil, lastName: "L"))
    }
  }

  @Test func `what is written is read, and the name comes last`() {
    var body = PostBody()
    body.providerID = "apple.com"
    body.idToken = "a.b.c"
    body.nonce = "N+o&n=ce %2F é"
    body.accessToken = "ya29.x/y"
    body.oauthTokenSecret = "s"
    body.code = "c.0.r&x=y"
    body.user = UserName(firstName: "Zoë & Co", lastName: #"O"Neil"#)
    #expect(
      body.form == "providerId=apple.com&id_token=a.b.c&nonce=N%2Bo%26n%3Dce%20%252F%20%C3%A9"
        + "&access_token=ya29.x%2Fy&oauth_token_secret=s&code=c.0.r%26x%3Dy"
        + "&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Zo%C3%AB%20%26%20Co%22%2C"
        + "%22lastName%22%3A%22O%5C%22Neil%22%7D%7D")
    body.identifier = "i"
    body.state = "s&t"
    body.error = "e"
    body.issuer = "https://a.example.com"
    body.realUserStatus = .unsupported
    let read = PostBody(postBody: body.form, requestURI: nil)
    #expect(read.providerID == body.providerID)
    #expect(read.idToken == body.idToken)
    #expect(read.nonce == body.nonce)
    #expect(read.accessToken == body.accessToken)
    #expect(read.oauthTokenSecret == body.oauthTokenSecret)
    #expect(read.code == body.code)
    #expect(read.identifier == body.identifier)
    #expect(read.state == body.state)
    #expect(read.error == body.error)
    #expect(read.issuer == body.issuer)
    #expect(read.user == body.user)
    #expect(read.realUserStatus == body.realUserStatus)
    #expect(read.repeated == nil)
  }

  @Test(
    arguments: [
      ("0", .unsupported), ("1", .unknown), ("2", .likelyReal), ("3", nil), ("-1", nil), ("", nil),
      ("two", nil), ("99999999999999999999", nil),
    ] as [(String, RealUserStatus?)])
  func `what Apple's sheet says of the user is one of three numbers`(
    _ value: String, _ status: RealUserStatus?
  ) {
    let fields = "id_token=a.b.c&providerId=apple.com&realUserStatus=\(value)"
    #expect(PostBody(postBody: fields, requestURI: nil).realUserStatus == status)
    // Not encoded, as Google's SDK sends it.
    let raw = PostBody(
      postBody: "providerId=apple.com&nonce=a/b&realUserStatus=\(value)", requestURI: nil)
    #expect(raw.realUserStatus == status)
    #expect(raw.nonce == "a/b")
  }

  @Test func `thousands of fields are not kept`() {
    let body = String(repeating: "a=b&", count: 50_000) + "providerId=x"
    #expect(PostBody(postBody: body, requestURI: nil).providerID == nil)
  }
}

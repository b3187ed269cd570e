import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Flags for OpenID Connect providers only.
struct OpenIDConnectOptions: ParsableArguments {
  @Option(
    help: "A file with a private key in PEM, which authenticates the server instead of a secret.")
  var privateKeyFile: String?

  @Option(help: "The key id at the provider. Default: the key's thumbprint.")
  var keyID: String?

  @Option(help: "ES256, RS256, PS256, …. Default: the usual algorithm for the key.")
  var algorithm: String?

  @Option(
    help: "The audience of the key's assertions: issuer (default) or tokenEndpoint.")
  var assertionAudience: String?

  @Option(
    help: ArgumentHelp(
      "How the provider expects the client secret: client_secret_basic, client_secret_post, or "
        + "default, as its discovery document says.", valueName: "method"))
  var clientAuthentication: String?

  @Option(
    help: ArgumentHelp(
      "The response type: code (the code flow), id_token (the implicit flow), or default, which is "
        + "code with a client secret, a key or --public-client.", valueName: "type"))
  var responseType: String?

  @Option(help: "The response mode: query, form_post, fragment, or default: the server chooses.")
  var responseMode: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the discovery document, or default: the issuer followed by "
        + "/.well-known/openid-configuration.", valueName: "url"))
  var discoveryURL: String?

  @Option(
    help: ArgumentHelp(
      "The scopes of each request, with spaces between them, or default: those of email and "
        + "profile that the provider offers. openid is always there.", valueName: "scopes"))
  var scopes: String?

  @Option(
    name: .customLong("claim"),
    help: ArgumentHelp(
      "The claim for email, emailVerified, name or picture: a claim's name, or a JSON Pointer. "
        + "Empty for the standard claim. May be repeated.", valueName: "what=claim"))
  var claims: [String] = []

  func validate() throws {
    if let assertionAudience, AssertionAudience(rawValue: assertionAudience) == nil {
      throw ValidationError(
        "--assertion-audience \(assertionAudience): one of issuer, tokenEndpoint")
    }
    if let responseMode, responseMode != "default", ResponseMode(rawValue: responseMode) == nil {
      throw ValidationError(
        "--response-mode \(responseMode): one of query, form_post, fragment, default")
    }
    if let clientAuthentication, clientAuthentication != "default",
      SecretPlace(rawValue: clientAuthentication) == nil
    {
      throw ValidationError(
        "--client-authentication \(clientAuthentication): one of client_secret_basic, "
          + "client_secret_post, default")
    }
    if let responseType, !["code", "id_token", "default"].contains(responseType) {
      throw ValidationError("--response-type \(responseType): one of code, id_token, default")
    }
    for claim in claims { _ = try Self.parse(claim) }
  }

  /// Reads the client secret or the private key: one of the two files, or neither.
  func proof(
    orSecretIn clientSecretFile: String?
  ) throws -> (secret: Secret<String>?, key: Secret<String>?) {
    let secret = try ProviderOptions.secret(in: clientSecretFile, "--client-secret-file")
    let key = try ProviderOptions.secret(in: privateKeyFile, "--private-key-file")
    guard secret == nil || key == nil else {
      throw CommandFailure("give --client-secret-file or --private-key-file, not both")
    }
    return (secret, key)
  }

  /// - Parameters:
  ///   - key: The content of the file, already read.
  ///   - known: The configuration that is changed; nil for a new one.
  func apply(
    _ key: Secret<String>?, to members: inout ProviderMembers, known: JSONObject?
  ) throws {
    if let key {
      members.set("clientKey.privateKey", key.reveal())
      members.clear("clientSecret")
    } else if known?["clientKey"] == nil,
      keyID != nil || algorithm != nil || assertionAudience != nil
    {
      throw CommandFailure(
        "--key-id, --algorithm and --assertion-audience belong to a key: give --private-key-file")
    }
    members.set("clientKey.keyId", keyID)
    members.set("clientKey.algorithm", algorithm)
    members.set("clientKey.audience", assertionAudience)
    // An empty text is the default.
    members.set("clientAuthentication", clientAuthentication.map { Self.text($0) })
    if let responseType {
      members.set("responseType.code", responseType == "code")
      members.set("responseType.idToken", responseType == "id_token")
    }
    members.set("discoveryUrl", discoveryURL.map { Self.text($0) })
    if let scopes {
      members.set(
        "scopes", .array(Self.text(scopes).split(separator: " ").map { .string(String($0)) }))
    }
    members.set("responseMode", responseMode.map { Self.text($0) })
    for claim in claims {
      let (field, path) = try Self.parse(claim)
      let member = "claimMapping.\(field.rawValue)"
      if let path { members.set(member, path.text) } else { members.clear(member) }
    }
  }

  private static func text(_ given: String) -> String { given == "default" ? "" : given }

  private static func parse(_ text: String) throws -> (ClaimMapping.Field, ClaimPath?) {
    let pieces = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2, let field = ClaimMapping.Field(rawValue: String(pieces[0])) else {
      throw ValidationError(
        "--claim \(text): write email, emailVerified, name or picture, then = and the claim. The "
          + "subject is always sub, because the holder of an account must not change")
    }
    guard !pieces[1].isEmpty else { return (field, nil) }
    guard let path = ClaimPath(String(pieces[1])) else {
      throw ValidationError(
        "--claim \(text): neither the name of a claim about the user, nor a JSON Pointer "
          + "(/profile/mail) of at most \(ClaimPath.maximumDepth) names")
    }
    return (field, path)
  }
}

import GatehouseJSON

extension ProviderResource {
  /// The key that signs this server's client assertions to the provider. The private key can be
  /// written, but is never returned.
  public struct ClientKey: Hashable, Sendable {
    public var privateKey: String?
    public var keyID: String?
    public var algorithm: String?
    /// `issuer` or `tokenEndpoint`.
    public var audience: String?

    public init(keyID: String? = nil, algorithm: String? = nil, audience: String? = nil) {
      self.keyID = keyID
      self.algorithm = algorithm
      self.audience = audience
    }

    init(_ fields: WireFields) throws(WireError) {
      privateKey = try fields.nonEmptyString("privateKey")
      keyID = try fields.nonEmptyString("keyId")
      algorithm = try fields.nonEmptyString("algorithm")
      audience = try fields.nonEmptyString("audience")
    }

    func write(to writer: inout JSONWriter) {
      writer.object("clientKey") {
        $0.member("keyId", ifPresent: keyID)
        $0.member("algorithm", ifPresent: algorithm)
        $0.member("audience", ifPresent: audience)
      }
    }
  }

  /// An additional client for some apps. The secret can be written, but is never returned.
  public struct Client: Hashable, Sendable {
    public var clientID: String
    public var clientSecret: String?
    public var bundleIDs: [String]

    public init(clientID: String, bundleIDs: [String]) {
      self.clientID = clientID
      self.bundleIDs = bundleIDs
    }

    init(_ fields: WireFields) throws(WireError) {
      clientID = try fields.string("clientId") ?? ""
      clientSecret = try fields.nonEmptyString("clientSecret")
      bundleIDs = fields.contains("bundleIds") ? try fields.strings("bundleIds") : []
    }

    func writeMembers(to writer: inout JSONWriter) {
      writer.member("clientId", clientID)
      writer.member("bundleIds", bundleIDs)
    }
  }

  /// The claims from which profile fields are read: each is a claim's name or a JSON Pointer.
  public struct ClaimMapping: Hashable, Sendable {
    public var email: String?
    public var emailVerified: String?
    public var name: String?
    public var picture: String?
    /// Fields that can't be mapped, such as `sub`. The server refuses them.
    public private(set) var unknown: [String] = []

    public init() {}

    init(_ fields: WireFields) throws(WireError) {
      email = try fields.nonEmptyString("email")
      emailVerified = try fields.nonEmptyString("emailVerified")
      name = try fields.nonEmptyString("name")
      picture = try fields.nonEmptyString("picture")
      unknown = fields.object.members.map(\.name).filter { given in
        let known: [StaticString] = ["email", "emailVerified", "name", "picture"]
        return !known.contains { WireFields.names(given, $0) }
      }
    }

    func write(to writer: inout JSONWriter) {
      writer.object("claimMapping") {
        $0.member("email", ifPresent: email)
        $0.member("emailVerified", ifPresent: emailVerified)
        $0.member("name", ifPresent: name)
        $0.member("picture", ifPresent: picture)
      }
    }
  }
}

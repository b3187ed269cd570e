import GatehouseProtocol

extension ProviderResource {
  /// The key that signs this server's client assertions to the provider. The private key can be
  /// written, but is never returned.
  struct ClientKey: Hashable, Sendable {
    var privateKey: String?
    var keyID: String?
    var algorithm: String?
    /// `issuer` or `tokenEndpoint`.
    var audience: String?
    /// The public key as a JSON Web Key Set. Not read.
    private var publicKeySet: [UInt8]?

    init(
      keyID: String? = nil, algorithm: String? = nil, audience: String? = nil,
      publicKeySet: [UInt8]? = nil
    ) {
      self.keyID = keyID
      self.algorithm = algorithm
      self.audience = audience
      self.publicKeySet = publicKeySet
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
        guard let publicKeySet else { return }
        $0.name("keySet")
        $0.raw(publicKeySet)
      }
    }
  }

  /// An additional client for some apps. The secret can be written, but is never returned.
  struct Client: Hashable, Sendable {
    var clientID: String
    var clientSecret: String?
    var bundleIDs: [String]
    /// Not read.
    private var hasClientSecret = false

    init(_ client: ProviderClient) {
      clientID = client.clientID
      bundleIDs = client.bundleIDs
      hasClientSecret = client.secret != nil
    }

    init(_ fields: WireFields) throws(WireError) {
      clientID = try fields.string("clientId") ?? ""
      clientSecret = try fields.nonEmptyString("clientSecret")
      bundleIDs = fields.contains("bundleIds") ? try fields.strings("bundleIds") : []
    }

    func writeMembers(to writer: inout JSONWriter) {
      writer.member("clientId", clientID)
      writer.member("bundleIds", bundleIDs)
      if hasClientSecret { writer.member("hasClientSecret", true) }
    }
  }

  /// The claims from which profile fields are read: each is a claim's name or a JSON Pointer.
  struct ClaimMapping: Hashable, Sendable {
    var email: String?
    var emailVerified: String?
    var name: String?
    var picture: String?
    /// Fields that can't be mapped, such as `sub`. The server refuses them.
    private(set) var unknown: [String] = []

    init() {}

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

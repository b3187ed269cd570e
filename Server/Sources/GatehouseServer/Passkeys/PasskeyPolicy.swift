import GatehouseProtocol

/// A project's policy for passkeys.
package struct PasskeyPolicy: Hashable, Sendable, Codable {
  /// Whether users can add passkeys and sign in with them. Off, like every way to sign in that a project
  /// doesn't use.
  package var isEnabled = false
  /// The relying party: a domain. Its pages and those of its subdomains can use the passkeys. There is no
  /// default: users' passkeys belong to it for ever, and authorized domains change.
  package var relyingPartyID = ""
  /// What users see when they create a passkey. Empty: the project's display name, or else its id.
  package var relyingPartyName = ""
  /// Origins that may use the passkeys, in addition to the authorized domains that belong to the relying
  /// party: `https://…` of related pages, and `android:apk-key-hash:…` of Android apps. Compared byte for
  /// byte.
  package var origins: [String] = []
  /// Whether each use needs a PIN or biometrics. Otherwise authenticators are asked for it, and those
  /// that can't do it are accepted.
  package var requiresUserVerification = false

  /// Pages on which a user adds and manages passkeys, for password managers; empty: none. https.
  package var enrollURL = ""
  package var manageURL = ""

  package static let maximumOrigins = 20
  private static let maximumOriginBytes = 300
  private static let maximumNameUnits = 64
  private static let androidPrefix = "android:apk-key-hash:"

  package init() {}

  /// For `--dev`, in which the relying party is `localhost`.
  package static var development: PasskeyPolicy {
    var policy = PasskeyPolicy()
    policy.isEnabled = true
    policy.relyingPartyID = "localhost"
    return policy
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    isEnabled = try values.value(.isEnabled, or: isEnabled)
    relyingPartyID = try values.value(.relyingPartyID, or: relyingPartyID)
    relyingPartyName = try values.value(.relyingPartyName, or: relyingPartyName)
    origins = try values.value(.origins, or: origins)
    requiresUserVerification = try values.value(
      .requiresUserVerification, or: requiresUserVerification)
    enrollURL = try values.value(.enrollURL, or: enrollURL)
    manageURL = try values.value(.manageURL, or: manageURL)
  }

  /// A message about the first fault, for the administrator who set it; nil if there is none.
  package var fault: String? {
    if isEnabled && relyingPartyID.isEmpty {
      return
        "relyingPartyID: name the domain of your pages and apps, such as example.com, before you "
        + "enable passkeys"
    }
    if !relyingPartyID.isEmpty, !Self.isRelyingPartyID(relyingPartyID) {
      return
        "relyingPartyID: “\(relyingPartyID)” is not a domain in lower case, such as example.com"
    }
    if relyingPartyName.utf16.count > Self.maximumNameUnits {
      return "relyingPartyName: longer than \(Self.maximumNameUnits) characters"
    }
    if origins.count > Self.maximumOrigins {
      return "origins: \(origins.count) values, more than \(Self.maximumOrigins)"
    }
    if let broken = origins.first(where: { !Self.isOrigin($0) }) {
      return "origins: “\(broken)” is neither https://host, without a path, nor "
        + "\(Self.androidPrefix) with the SHA-256 of the app's certificate in base64url"
    }
    for (name, url) in [("enrollURL", enrollURL), ("manageURL", manageURL)]
    where !url.isEmpty && !(CallbackURI.isValid(url) && CallbackURI.isSecure(url)) {
      return "\(name): “\(url)” is not an https URL without user information and fragment"
    }
    return nil
  }

  /// A domain with a dot, or `localhost`. An IP address can't be a relying party (WebAuthn §4, "RP ID").
  private static func isRelyingPartyID(_ text: String) -> Bool {
    guard let domain = AuthorizedDomain.normalized(text), domain.hasSameBytes(as: text) else {
      return false
    }
    return isName(domain)
  }

  /// Whether the domain is a name, not an IPv4 address.
  private static func isName(_ domain: String) -> Bool {
    let last = domain.utf8.split(separator: UInt8(ascii: ".")).last
    let hasLetter = last?.contains { !(0x30...0x39).contains($0) } ?? false
    return hasLetter && (domain.utf8.contains(UInt8(ascii: ".")) || domain == "localhost")
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard text.utf8.count <= maximumOriginBytes else { return false }
    if text.utf8.starts(with: androidPrefix.utf8) {
      let hash = text.utf8.dropFirst(androidPrefix.utf8.count)
      return hash.count == 43
        && hash.allSatisfy { byte in
          (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
    let scheme = "https://"
    guard text.utf8.starts(with: scheme.utf8) else { return false }
    let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, let host = AuthorizedDomain.normalized(String(parts[0])),
      host.hasSameBytes(as: String(parts[0]))
    else { return false }
    // A browser leaves out the port 443.
    return parts.count == 1 || UInt16(parts[1]).map { $0 != 443 && String($0) == parts[1] } == true
  }
}

/// The relying party of a project's passkeys (WebAuthn §4).
package struct RelyingParty: Sendable {
  package let id: String
  package let name: String
  /// Where a ceremony may take place.
  let origins: [String]
  /// Whether pages of this machine may use the passkeys, on any port: the relying party is `localhost`.
  let allowsLoopback: Bool
  let requiresUserVerification: Bool
}

extension Project {
  /// - Throws: ``AccountsError/passkeysDisabled``.
  package func relyingParty() throws(AccountsError) -> RelyingParty {
    let policy = policies.passkeys
    let id = policy.relyingPartyID
    guard policy.isEnabled, !id.isEmpty else { throw .passkeysDisabled }
    let name = policy.relyingPartyName.isEmpty ? displayName ?? "" : policy.relyingPartyName
    // The domain itself is also the origin of apps on Apple's systems.
    let domains =
      [id] + authorizedDomains.filter { $0.utf8.reversed().starts(with: ".\(id)".utf8.reversed()) }
    return RelyingParty(
      id: id, name: name.isEmpty ? self.id.text : name,
      origins: domains.map { "https://\($0)" } + policy.origins, allowsLoopback: id == "localhost",
      requiresUserVerification: policy.requiresUserVerification)
  }
}

extension RelyingParty {
  func allows(origin: String) -> Bool {
    if origins.containsBytes(of: origin) { return true }
    guard allowsLoopback else { return false }
    return ["http://localhost", "https://localhost"].contains { base in
      guard origin.utf8.starts(with: base.utf8) else { return false }
      let rest = origin.utf8.dropFirst(base.utf8.count)
      return rest.isEmpty
        || rest.first == UInt8(ascii: ":") && (2...6).contains(rest.count)
          && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
  }
}

import Foundation

/// A passkey in the list of an account.
public struct PasskeyInfo: WireMessage, Hashable {
  public var name: String
  /// Standard base64 with padding.
  public var credentialID: String
  /// Extensions of this server, like the members below. The user handle, in standard base64: with it an app
  /// tells the system which of the user's passkeys the account still has.
  public var userHandle: String?
  /// Milliseconds since 1970.
  public var createdAt: Int64?
  public var lastUsedAt: Int64?
  /// The authenticator says that the passkey is copied to other devices.
  public var isBackedUp: Bool?
  /// The model of the authenticator, as a UUID; nil if it doesn't say.
  public var aaguid: String?

  public init(name: String, credentialID: String) {
    self.name = name
    self.credentialID = credentialID
  }

  public init(_ fields: WireFields) throws(WireError) {
    name = try fields.string("name") ?? ""
    credentialID = try fields.requiredString("credentialId")
    userHandle = try fields.nonEmptyString("userHandle")
    createdAt = try fields.int64("createdAt")
    lastUsedAt = try fields.int64("lastUsedAt")
    isBackedUp = try fields.bool("backedUp")
    aaguid = try fields.nonEmptyString("aaguid")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("credentialId", credentialID)
    writer.member("userHandle", ifPresent: userHandle)
    writer.member("createdAt", ifPresent: createdAt.map(String.init))
    writer.member("lastUsedAt", ifPresent: lastUsedAt.map(String.init))
    writer.member("backedUp", ifPresent: isBackedUp)
    writer.member("aaguid", ifPresent: aaguid)
  }
}

/// `v2/accounts/passkeyEnrollment:start`.
///
/// Source: the branch `passkey-sv` of Google's SDK for iOS. Without an ID token it is an extension: the
/// passkey creates an account, or becomes the second factor that the project requires.
public struct StartPasskeyEnrollmentRequest: WireMessage {
  public var idToken: String?
  /// `mfaPendingCredential`, of a user who has to add a second factor.
  public var pendingCredential: String?
  /// The address of the new account. It is unverified.
  public var email: String?
  /// The name of the new account's user. A request of nobody who is known must have this member or
  /// ``email``, even if it is empty.
  public var displayName: String?

  public init(idToken: String?) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    email = try fields.string("email")
    displayName = try fields.string("displayName")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    writer.member("email", ifPresent: email)
    writer.member("displayName", ifPresent: displayName)
  }
}

/// The options of a registration, twice: bytes are standard base64 in `credentialCreationOptions`, and
/// base64url in `publicKey`, which is a browser's `PublicKeyCredentialCreationOptionsJSON`.
public struct StartPasskeyEnrollmentResponse: WireMessage {
  public var relyingPartyID: String
  public var relyingPartyName: String
  /// The user handle.
  public var userID: [UInt8]
  public var userName: String
  public var userDisplayName: String
  public var challenge: [UInt8]
  /// Numbers of COSE, in the order of preference.
  public var algorithms: [Int] = []
  /// The account's passkeys: an authenticator that has one of them creates no other.
  public var excluded: [PasskeyDescriptor] = []
  /// `required` or `preferred`.
  public var userVerification = "preferred"
  public var timeoutMilliseconds = 300_000

  public init(
    relyingPartyID: String, relyingPartyName: String, userID: [UInt8], userName: String,
    userDisplayName: String, challenge: [UInt8]
  ) {
    self.relyingPartyID = relyingPartyID
    self.relyingPartyName = relyingPartyName
    self.userID = userID
    self.userName = userName
    self.userDisplayName = userDisplayName
    self.challenge = challenge
  }

  /// Reads `credentialCreationOptions`.
  public init(_ fields: WireFields) throws(WireError) {
    guard let options = try fields.message("credentialCreationOptions"),
      let party = try options.message("rp"), let user = try options.message("user")
    else { throw WireError(field: "credentialCreationOptions", wanted: .message) }
    relyingPartyID = try party.requiredString("id")
    relyingPartyName = try party.string("name") ?? ""
    userID = try PasskeyBytes.required("id", of: user)
    userName = try user.string("name") ?? ""
    userDisplayName = try user.string("displayName") ?? ""
    challenge = try PasskeyBytes.required("challenge", of: options)
    for parameter in try options.messages("pubKeyCredParams") {
      if let number = try parameter.int64("alg") { algorithms.append(Int(clamping: number)) }
    }
    excluded = try PasskeyDescriptor.read("excludeCredentials", of: options)
    if let selection = try options.message("authenticatorSelection") {
      userVerification = try selection.nonEmptyString("userVerification") ?? userVerification
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("credentialCreationOptions") { write(to: &$0, .standard) }
    writer.object("publicKey") { write(to: &$0, .url) }
  }

  private func write(to options: inout JSONWriter, _ form: PasskeyBytes) {
    options.object("rp") {
      $0.member("id", relyingPartyID)
      $0.member("name", relyingPartyName)
    }
    options.object("user") {
      $0.member("id", form.text(of: userID))
      $0.member("name", userName)
      $0.member("displayName", userDisplayName)
    }
    options.member("challenge", form.text(of: challenge))
    options.array("pubKeyCredParams") { list in
      for algorithm in algorithms {
        list.object {
          $0.member("type", "public-key")
          $0.member("alg", algorithm)
        }
      }
    }
    options.member("timeout", timeoutMilliseconds)
    PasskeyDescriptor.write(excluded, "excludeCredentials", to: &options, form)
    options.object("authenticatorSelection") {
      $0.member("residentKey", "required")
      $0.member("requireResidentKey", true)
      $0.member("userVerification", userVerification)
    }
    options.member("attestation", "none")
    options.object("extensions") { $0.member("credProps", true) }
  }
}

/// `v2/accounts/passkeyEnrollment:finalize`.
public struct FinalizePasskeyEnrollmentRequest: WireRequest {
  public var idToken: String?
  /// As in ``StartPasskeyEnrollmentRequest``.
  public var pendingCredential: String?
  /// What the user calls the passkey.
  public var name: String?
  /// Of a new account, if ``StartPasskeyEnrollmentRequest`` had none: some systems ask for them in the sheet
  /// that creates the passkey.
  public var email: String?
  public var displayName: String?
  /// Nil if the request has neither `authenticatorRegistrationResponse` nor `credential`.
  public var credential: Credential?

  /// The answer of an authenticator: `RegistrationResponseJSON` of a browser, or Google's form of it.
  public struct Credential: Sendable {
    /// Base64 of any form, as are the two others.
    public var id: String
    public var clientDataJSON: String
    public var attestationObject: String
    public var transports: [String]
  }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    name = try fields.nonEmptyString("name")
    email = try fields.nonEmptyString("email")
    displayName = try fields.nonEmptyString("displayName")
    var answer = try fields.message("authenticatorRegistrationResponse")
    if answer == nil { answer = try fields.message("credential") }
    guard let message = answer else { return }
    let response = try message.message("response")
    credential = Credential(
      id: try message.string("id") ?? "",
      clientDataJSON: try response?.string("clientDataJSON") ?? "",
      attestationObject: try response?.string("attestationObject") ?? "",
      transports: try response?.strings("transports") ?? [])
  }
}

public struct FinalizePasskeyEnrollmentResponse: WireMessage {
  public var localID: String
  public var outcome: FirstFactorOutcome
  /// An extension.
  public var passkey: PasskeyInfo?
  /// An extension: the passkey created the account.
  public var isNewUser = false

  public init(localID: String, outcome: FirstFactorOutcome) {
    self.localID = localID
    self.outcome = outcome
  }

  public init(_ fields: WireFields) throws(WireError) {
    localID = try fields.string("localId") ?? ""
    outcome = try FirstFactorOutcome(fields)
    passkey = try fields.message("passkeyInfo").map { message throws(WireError) in
      try PasskeyInfo(message)
    }
    isNewUser = try fields.bool("isNewUser") ?? false
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("localId", localID)
    outcome.writeMembers(to: &writer)
    if let passkey { writer.object("passkeyInfo") { passkey.writeMembers(to: &$0) } }
    if isNewUser { writer.member("isNewUser", true) }
  }
}

/// `v2/accounts/passkeySignIn:start`. All members are extensions.
public struct StartPasskeySignInRequest: WireMessage {
  /// The address of the user who signs in. Without it, the user chooses a passkey of any account.
  public var email: String?
  /// The ID token of a user who authenticates again.
  public var idToken: String?
  /// Of a sign-in in which a passkey stands for the second factor.
  public var pendingCredential: String?

  public init(
    email: String? = nil, idToken: String? = nil, pendingCredential: String? = nil
  ) {
    self.email = email
    self.idToken = idToken
    self.pendingCredential = pendingCredential
  }

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.nonEmptyString("email")
    idToken = try fields.nonEmptyString("idToken")
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("email", ifPresent: email)
    writer.member("idToken", ifPresent: idToken)
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
  }
}

/// The options of an authentication, twice, as in ``StartPasskeyEnrollmentResponse``: `publicKey` is a
/// browser's `PublicKeyCredentialRequestOptionsJSON`.
public struct StartPasskeySignInResponse: WireMessage {
  public var relyingPartyID: String
  public var challenge: [UInt8]
  /// The passkeys among which the user chooses; empty: those that the authenticator finds.
  public var allowed: [PasskeyDescriptor] = []
  public var userVerification = "preferred"
  public var timeoutMilliseconds = 300_000

  public init(relyingPartyID: String, challenge: [UInt8]) {
    self.relyingPartyID = relyingPartyID
    self.challenge = challenge
  }

  /// Reads `credentialRequestOptions`.
  public init(_ fields: WireFields) throws(WireError) {
    guard let options = try fields.message("credentialRequestOptions") else {
      throw WireError(field: "credentialRequestOptions", wanted: .message)
    }
    relyingPartyID = try options.requiredString("rpId")
    challenge = try PasskeyBytes.required("challenge", of: options)
    allowed = try PasskeyDescriptor.read("allowCredentials", of: options)
    userVerification = try options.nonEmptyString("userVerification") ?? userVerification
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("credentialRequestOptions") { write(to: &$0, .standard) }
    writer.object("publicKey") { write(to: &$0, .url) }
  }

  private func write(to options: inout JSONWriter, _ form: PasskeyBytes) {
    options.member("challenge", form.text(of: challenge))
    options.member("timeout", timeoutMilliseconds)
    options.member("rpId", relyingPartyID)
    PasskeyDescriptor.write(allowed, "allowCredentials", to: &options, form)
    options.member("userVerification", userVerification)
  }
}

/// `v2/accounts/passkeySignIn:finalize`.
public struct FinalizePasskeySignInRequest: WireRequest {
  /// Nil if the request has neither `authenticatorAuthenticationResponse` nor `credential`.
  public var credential: Credential?

  /// The answer of an authenticator: `AuthenticationResponseJSON` of a browser, or Google's form of it.
  public struct Credential: Sendable {
    /// Base64 of any form, as are the others.
    public var id: String
    public var clientDataJSON: String
    public var authenticatorData: String
    public var signature: String
    /// Nil if the authenticator names no user: only for a passkey that ``StartPasskeySignInResponse/allowed``
    /// names.
    public var userHandle: String?
  }

  public init(_ fields: WireFields) throws(WireError) {
    var answer = try fields.message("authenticatorAuthenticationResponse")
    if answer == nil { answer = try fields.message("credential") }
    guard let message = answer else { return }
    credential = try Credential(message)
  }
}

extension FinalizePasskeySignInRequest.Credential {
  public init(_ fields: WireFields) throws(WireError) {
    let response = try fields.message("response")
    id = try fields.string("id") ?? ""
    clientDataJSON = try response?.string("clientDataJSON") ?? ""
    authenticatorData = try response?.string("authenticatorData") ?? ""
    signature = try response?.string("signature") ?? ""
    userHandle = try response?.nonEmptyString("userHandle")
  }
}

public struct FinalizePasskeySignInResponse: WireMessage {
  public var localID: String
  /// A passkey whose authenticator didn't verify the user is the first factor alone.
  public var outcome: FirstFactorOutcome

  public init(localID: String, outcome: FirstFactorOutcome) {
    self.localID = localID
    self.outcome = outcome
  }

  public init(_ fields: WireFields) throws(WireError) {
    localID = try fields.string("localId") ?? ""
    outcome = try FirstFactorOutcome(fields)
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("localId", localID)
    outcome.writeMembers(to: &writer)
  }
}

/// A passkey in the options of a ceremony.
public struct PasskeyDescriptor: Hashable, Sendable {
  public var id: [UInt8]
  /// How a browser reaches the authenticator, such as `internal` and `hybrid`.
  public var transports: [String]

  public init(id: [UInt8], transports: [String]) {
    self.id = id
    self.transports = transports
  }

  fileprivate static func read(
    _ name: StaticString, of options: WireFields
  ) throws(WireError) -> [PasskeyDescriptor] {
    var list: [PasskeyDescriptor] = []
    for message in try options.messages(name) {
      list.append(
        PasskeyDescriptor(
          id: try PasskeyBytes.required("id", of: message),
          transports: try message.strings("transports")))
    }
    return list
  }

  fileprivate static func write(
    _ list: [PasskeyDescriptor], _ name: String, to options: inout JSONWriter, _ form: PasskeyBytes
  ) {
    options.array(name) { array in
      for descriptor in list {
        array.object {
          $0.member("type", "public-key")
          $0.member("id", form.text(of: descriptor.id))
          if !descriptor.transports.isEmpty { $0.member("transports", descriptor.transports) }
        }
      }
    }
  }
}

/// The two forms of bytes: of Google's clients, and of browsers.
private enum PasskeyBytes {
  case standard, url

  func text(of bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString()
    return self == .standard ? text : Self.url(text)
  }

  private static func url(_ text: String) -> String {
    let bytes = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func required(_ name: StaticString, of fields: WireFields) throws(WireError) -> [UInt8] {
    guard let data = Data(base64Encoded: try fields.requiredString(name)) else {
      throw WireError(field: "\(name)", wanted: .bytes)
    }
    return Array(data)
  }
}

public import Foundation
public import GatehouseClient
import GatehouseProtocol

/// The passkeys of a device, for ``AuthTestServer``. It shows no sheet: the test says what the user does.
///
/// Its keys and signatures are made up, so no other server accepts them. Safe to use from any thread.
public final class TestAuthenticator: PasskeyAuthorizing {
  /// A passkey on the device.
  public struct HeldPasskey: Sendable, Hashable {
    public var id: Data
    public var relyingPartyID: String
    public var userHandle: Data
    public var userName: String
  }

  private struct State {
    var passkeys: [HeldPasskey] = []
    var fault: DeviceFault?
    var verifiesUser = true
    var prefersApple = false
  }

  private let state = Locked(State())

  public init() {}

  /// Oldest first. The user signs in with the latest one that the server accepts.
  public var passkeys: [HeldPasskey] {
    get { state.withLock(\.passkeys) }
    set { state.withLock { $0.passkeys = newValue } }
  }

  /// What each sheet fails with, such as `.cancelled`. Nil: the user agrees.
  public var fault: DeviceFault? {
    get { state.withLock(\.fault) }
    set { state.withLock { $0.fault = newValue } }
  }

  /// Whether the device asks for biometrics or a code. If not, an account with a second factor asks for it.
  public var verifiesUser: Bool {
    get { state.withLock(\.verifiesUser) }
    set { state.withLock { $0.verifiesUser = newValue } }
  }

  /// Whether the user chooses Sign in with Apple in a sheet that creates an account.
  public var prefersApple: Bool {
    get { state.withLock(\.prefersApple) }
    set { state.withLock { $0.prefersApple = newValue } }
  }

  public func create(
    _ creation: PasskeyCreation, quietly: Bool
  ) async throws(DeviceFault) -> PasskeyRegistration {
    if let fault { throw fault }
    guard !passkeys.contains(where: { creation.excluded.contains($0.id) }) else {
      throw .unavailable(detail: "The device has a passkey of this account")
    }
    let id = Data(UUID().uuidString.utf8)
    state.withLock {
      $0.passkeys.append(
        HeldPasskey(
          id: id, relyingPartyID: creation.relyingPartyID, userHandle: creation.userHandle,
          userName: creation.userName))
    }
    return PasskeyRegistration(
      credentialID: id, clientDataJSON: Self.clientData(.create, creation.challenge),
      attestationObject: Data([flags]))
  }

  public func createAccount(
    _ creation: PasskeyCreation
  ) async throws(DeviceFault) -> PasskeyAccountAnswer {
    if let fault { throw fault }
    if prefersApple { return .prefersApple }
    return .created(PasskeyAccount(registration: try await create(creation, quietly: false)))
  }

  public func sign(
    _ request: PasskeyRequest, _ style: PasskeySignInStyle
  ) async throws(DeviceFault) -> PasskeyAssertion {
    if let fault { throw fault }
    let passkey = passkeys.last {
      $0.relyingPartyID == request.relyingPartyID
        && (request.allowed.isEmpty || request.allowed.contains($0.id))
    }
    guard let passkey else {
      if style == .sheet { throw .unavailable(detail: "The device has no passkey") }
      throw .cancelled
    }
    return PasskeyAssertion(
      credentialID: passkey.id, clientDataJSON: Self.clientData(.get, request.challenge),
      authenticatorData: Data([flags]),
      signature: Self.signature(of: passkey.id, request.challenge), userHandle: passkey.userHandle)
  }

  /// Forgets the account's other passkeys.
  public func keep(_ passkeys: [Passkey], of relyingPartyID: String) async {
    let kept = Set(passkeys.map(\.id))
    let handles = Set(passkeys.compactMap(\.userHandle))
    state.withLock { state in
      state.passkeys.removeAll {
        $0.relyingPartyID == relyingPartyID && handles.contains($0.userHandle)
          && !kept.contains($0.id.base64EncodedString())
      }
    }
  }

  // MARK: The form of its answers, in place of WebAuthn's

  enum Ceremony: String {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  static let verifiedFlag: UInt8 = 4
  private var flags: UInt8 { verifiesUser ? Self.verifiedFlag | 1 : 1 }

  private static func clientData(_ ceremony: Ceremony, _ challenge: Data) -> Data {
    let members: JSONObject = [
      "type": .string(ceremony.rawValue), "challenge": .string(challenge.base64EncodedString()),
    ]
    return Data(members.serialized())
  }

  /// The challenge in the client data of `ceremony`.
  static func challenge(_ clientData: Data, _ ceremony: Ceremony) -> Data? {
    guard let members = try? JSONObject(parsing: Array(clientData)),
      members["type"]?.string == ceremony.rawValue
    else { return nil }
    return members["challenge"]?.string.flatMap { Data(base64Encoded: $0) }
  }

  static func signature(of id: Data, _ challenge: Data) -> Data {
    Data("signature with ".utf8) + id + challenge
  }
}

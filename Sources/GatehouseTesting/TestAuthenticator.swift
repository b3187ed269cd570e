import Crypto
public import Foundation
public import GatehouseClient
import GatehouseProtocol

/// The passkeys of a device, in memory. It shows no sheet: the test says what the user does.
///
/// It is an authenticator of WebAuthn Level 3, with ES256 and without attestation. So a real server accepts its
/// passkeys too, from the origin `https://` and the relying party. Safe to use from any thread.
public final class TestAuthenticator: PasskeyAuthorizing {
  /// A passkey on the device.
  public struct HeldPasskey: Sendable, Hashable {
    public var id: Data
    public var relyingPartyID: String
    public var userHandle: Data
    public var userName: String
    fileprivate let key = P256.Signing.PrivateKey()

    public static func == (one: HeldPasskey, other: HeldPasskey) -> Bool { one.id == other.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
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
    let passkey = HeldPasskey(
      id: Data(UUID().uuidString.utf8), relyingPartyID: creation.relyingPartyID,
      userHandle: creation.userHandle, userName: creation.userName)
    state.withLock { $0.passkeys.append(passkey) }
    return PasskeyRegistration(
      credentialID: passkey.id,
      clientDataJSON: WebAuthnBytes.clientData(
        .create, creation.challenge, relyingPartyID: creation.relyingPartyID),
      attestationObject: WebAuthnBytes.attestationObject(
        passkey.id, passkey.key.publicKey, relyingPartyID: creation.relyingPartyID,
        verifiesUser: verifiesUser))
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
    let clientData = WebAuthnBytes.clientData(
      .get, request.challenge, relyingPartyID: request.relyingPartyID)
    let data = WebAuthnBytes.authenticatorData(
      request.relyingPartyID, verifiesUser: verifiesUser)
    guard let signature = try? passkey.key.signature(for: data + SHA256.hash(data: clientData))
    else { throw .failed(detail: "The passkey can't sign") }
    return PasskeyAssertion(
      credentialID: passkey.id, clientDataJSON: clientData, authenticatorData: data,
      signature: signature.derRepresentation, userHandle: passkey.userHandle)
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
}

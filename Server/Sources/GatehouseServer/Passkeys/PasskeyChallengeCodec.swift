import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Writes and reads challenges. A challenge is encrypted (AES-GCM) and contains what its answer is bound to,
/// so it needs no row until it is used. The client data of the answer has it in base64url.
struct PasskeyChallengeCodec: Sendable {
  let box: TokenBox

  /// How long a challenge can be answered. Seconds.
  static let lifetimeSeconds: TimeInterval = 300
  private static let maximumBytes = 4096

  /// For whom a passkey is created.
  enum Registration: Hashable, Sendable {
    case account(UID)
    case newAccount(email: EmailAddress?, displayName: String?)
  }

  /// What an assertion is for. The answer to one is no answer to another.
  enum Use: String, Hashable, Sendable {
    case signIn, secondFactor
  }

  func challenge(
    for registration: Registration, userHandle: [UInt8], project: ProjectID, now: Date
  ) throws -> [UInt8] {
    var fields = FieldWriter()
    switch registration {
    case .account(let uid): fields.write(uid.text)
    case .newAccount(let email, let displayName):
      fields.write(nil as String?)
      fields.write(email?.text)
      fields.write(displayName)
    }
    fields.write(Base64URL.encode(userHandle))
    return try seal(fields, Self.registration(project), now)
  }

  /// - Parameter uid: The account that has to sign in; nil: any.
  func challenge(
    for use: Use, of uid: UID?, project: ProjectID, now: Date
  ) throws -> [UInt8] {
    var fields = FieldWriter()
    fields.write(uid?.text)
    return try seal(fields, Self.bound(use, project), now)
  }

  /// - Throws: ``WebAuthnFault/challengeNotIssued``, ``WebAuthnFault/challengeExpired``.
  func registration(
    in challenge: [UInt8], project: ProjectID, now: Date
  ) throws(WebAuthnFault) -> (
    registration: Registration, userHandle: [UInt8], spending: SingleUseToken
  ) {
    var (fields, spending) = try open(challenge, Self.registration(project), now)
    do {
      let registration: Registration =
        if let text = try fields.string() {
          .account(try Self.uid(text))
        } else {
          .newAccount(
            email: try fields.string().flatMap { EmailAddress($0) },
            displayName: try fields.string())
        }
      guard let handle = try fields.string().flatMap({ Base64URL.decode($0) }) else {
        throw FieldReader.Malformed()
      }
      return (registration, handle, spending)
    } catch {
      throw .challengeNotIssued
    }
  }

  /// - Throws: ``WebAuthnFault/challengeNotIssued``, ``WebAuthnFault/challengeExpired``.
  func assertion(
    in challenge: [UInt8], for use: Use, project: ProjectID, now: Date
  ) throws(WebAuthnFault) -> (uid: UID?, spending: SingleUseToken) {
    var (fields, spending) = try open(challenge, Self.bound(use, project), now)
    do {
      return (try fields.string().map { try Self.uid($0) }, spending)
    } catch {
      throw .challengeNotIssued
    }
  }

  private static func uid(_ text: String) throws -> UID {
    guard let uid = UID(text) else { throw FieldReader.Malformed() }
    return uid
  }

  private func seal(_ fields: FieldWriter, _ bound: String, _ now: Date) throws -> [UInt8] {
    Base64URL.decode(try box.seal(fields, writtenAt: now, bound: bound)) ?? []
  }

  private func open(
    _ challenge: [UInt8], _ bound: String, _ now: Date
  ) throws(WebAuthnFault) -> (FieldReader, SingleUseToken) {
    guard challenge.count <= Self.maximumBytes else { throw .challengeNotIssued }
    do throws(TokenBox.Refusal) {
      let (fields, writtenAt) = try box.open(
        Base64URL.encode(challenge), bound: bound, lifetimeSeconds: Self.lifetimeSeconds, now: now)
      let spending = SingleUseToken(
        digest: Array(SHA256.hash(data: challenge)),
        acceptedUntil: writtenAt.addingTimeInterval(Self.lifetimeSeconds))
      return (fields, spending)
    } catch {
      switch error {
      case .notIssued: throw .challengeNotIssued
      case .expired: throw .challengeExpired
      }
    }
  }

  /// Project ids have no slash: no challenge can be opened as another kind of token, or of another project.
  private static func registration(_ project: ProjectID) -> String { "passkey/\(project.text)" }
  private static func bound(_ use: Use, _ project: ProjectID) -> String {
    "passkey/\(use.rawValue)/\(project.text)"
  }
}

extension AccountsService {
  var passkeyChallenges: PasskeyChallengeCodec { PasskeyChallengeCodec(box: pendingTokens.box) }
}

import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Writes and reads temporary proofs. A proof contains a number that the user has verified and that
/// another account has. With it the user signs in to that account without another text message.
///
/// A proof is encrypted (AES-GCM) like a pending token, and bound to the project and to this use.
struct TemporaryProofCodec: Sendable {
  let box: TokenBox

  /// How long a proof is valid. Seconds.
  static let lifetimeSeconds: TimeInterval = 600
  private static let maximumBytes = 1024

  func proof(of number: PhoneNumber, verifiedAt: Date, project: ProjectID) throws -> String {
    var fields = FieldWriter()
    fields.write(number.text)
    return try box.seal(fields, writtenAt: verifiedAt, bound: Self.bound(project))
  }

  /// - Returns: When the code was presented.
  /// - Throws: ``AccountsError/invalidTemporaryProof`` if the proof belongs to another number or
  ///   project, is older than ``lifetimeSeconds``, is from the future, or wasn't written by this
  ///   server.
  func verifiedAt(
    _ proof: String, of number: PhoneNumber, project: ProjectID, now: Date
  ) throws(AccountsError) -> Date {
    guard proof.utf8.count <= Self.maximumBytes,
      var opened = try? box.open(
        proof, bound: Self.bound(project), lifetimeSeconds: Self.lifetimeSeconds, now: now),
      let text = try? opened.fields.string(), text.hasSameBytes(as: number.text)
    else { throw .invalidTemporaryProof }
    return opened.writtenAt
  }

  /// Project ids have no slash, so a temporary proof can never be decrypted as a pending token.
  private static func bound(_ project: ProjectID) -> String { "phone/\(project.text)" }
}

import Foundation
import GatehouseModel
import GatehouseTokens

/// Writes and reads temporary proofs: a number whose code was right a moment ago, while the account
/// that it was to be linked to isn't the one that has it. By it the person signs in to that one
/// without another text message.
///
/// Encrypted (AES-GCM) and bound to the project and to this use, like pending tokens.
struct TemporaryProofCodec: Sendable {
  let box: SecretBox

  /// How long one is good for. Seconds.
  static let lifetimeSeconds: TimeInterval = 600
  private static let maximumBytes = 1024

  func proof(of number: PhoneNumber, verifiedAt: Date, project: ProjectID) throws -> String {
    var fields = FieldWriter()
    fields.write(verifiedAt)
    fields.write(number.text)
    return Base64URL.encode(try box.seal(fields.bytes, bound: Self.bound(project)))
  }

  /// - Returns: When the code was presented.
  /// - Throws: ``AccountsError/invalidTemporaryProof`` if it is another number's or project's, older
  ///   than ``lifetimeSeconds``, from the future, or nothing that this server wrote.
  func verifiedAt(
    _ proof: String, of number: PhoneNumber, project: ProjectID, now: Date
  ) throws(AccountsError) -> Date {
    guard proof.utf8.count <= Self.maximumBytes, let sealed = Base64URL.decode(proof),
      let plaintext = box.open(sealed, bound: Self.bound(project)),
      let (verifiedAt, text) = try? Self.read(plaintext), text.hasSameBytes(as: number.text),
      (-1..<Self.lifetimeSeconds).contains(now.timeIntervalSince(verifiedAt))
    else { throw .invalidTemporaryProof }
    return verifiedAt
  }

  private static func read(_ plaintext: [UInt8]) throws -> (Date, String) {
    var fields = FieldReader(plaintext)
    guard let verifiedAt = try fields.date(), let number = try fields.string() else {
      throw FieldReader.Malformed()
    }
    return (verifiedAt, number)
  }

  /// No project's id has a slash: what is sealed here never opens as a pending token.
  private static func bound(_ project: ProjectID) -> [UInt8] { Array("phone/\(project.text)".utf8) }
}

public import GatehouseJSON

/// The answer to following a code's link in `--dev`, in the emulator's format.
public struct FollowedLinkResponse: WireResponse {
  public var outcome: Outcome
  /// The email address of the code.
  public var email: String?
  /// What to do next.
  public var instructions: String?

  public enum Outcome: Sendable {
    case success(String)
    case failure(String)
  }

  public init(_ outcome: Outcome, email: String? = nil, instructions: String? = nil) {
    self.outcome = outcome
    self.email = email
    self.instructions = instructions
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("authEmulator") { answer in
      switch outcome {
      case .success(let text): answer.member("success", text)
      case .failure(let text): answer.member("error", text)
      }
      answer.member("email", ifPresent: email)
      answer.member("instructions", ifPresent: instructions)
    }
  }
}

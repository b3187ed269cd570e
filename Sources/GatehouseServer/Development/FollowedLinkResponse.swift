import GatehouseJSON
import GatehouseWire

/// The response to a request for a code's link in `--dev`, in the emulator's format.
struct FollowedLinkResponse: WireResponse {
  var outcome: Outcome
  /// The email address of the code.
  var email: String?
  /// What to do next.
  var instructions: String?

  enum Outcome: Sendable {
    case success(String)
    case failure(String)
  }

  init(_ outcome: Outcome, email: String? = nil, instructions: String? = nil) {
    self.outcome = outcome
    self.email = email
    self.instructions = instructions
  }

  func writeMembers(to writer: inout JSONWriter) {
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

import ArgumentParser
import Foundation
import GatehouseClient

/// Why a command failed, what to do, and its exit status.
struct Failure: Error {
  enum Status: Int32 {
    case refused = 1
    case notSignedIn = 3
    case cancelled = 4
    case offline = 5
  }

  let status: Status
  let text: String
  var remedy: String?

  static let notSignedIn = Failure(
    status: .notSignedIn, text: "No user is signed in.", remedy: "gatehouse-example login …")
  static let cancelled = Failure(status: .cancelled, text: "Nothing was changed.")

  /// Runs a command, and prints what went wrong.
  static func explaining(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      let failure: Failure =
        switch error {
        case let failure as Failure: failure
        case let error as DeletionError: Failure(error)
        case let error as AccountError: Failure(error)
        case let error as ClientError: Failure(error)
        default: throw error
        }
      Terminal.complain(failure.text)
      if let remedy = failure.remedy { Terminal.complain(remedy) }
      throw ExitCode(failure.status.rawValue)
    }
  }
}

extension Failure {
  /// The SDK has these texts in several languages, with what was done and what to do.
  init(_ error: DeletionError) {
    let text = error.text()
    self.init(
      status: Failure(error.cause).status, text: text.title + ". " + text.description,
      remedy: text.recoverySuggestion)
  }

  init(_ error: AccountError) {
    switch error {
    case .client(let error): self.init(error)
    case .device(.offline(let detail)):
      self.init(
        status: .offline, text: "The provider could not be reached: \(detail)",
        remedy: "Is the simulator running? See --simulator.")
    case .device(.cancelled): self = .cancelled
    case .device(.unavailable(let detail)), .device(.failed(let detail)):
      self.init(status: .refused, text: "The provider's sheet failed: \(detail)")
    case .device(.notBegun(let error)): self.init(error)
    case .device(.busy), .busy: self.init(status: .refused, text: "Another operation is running.")
    case .answer(let fault):
      self.init(status: .refused, text: "The provider's response is not valid: \(fault.rawValue)")
    case .notOffered(let provider):
      self.init(status: .refused, text: "This app can't sign in with \(provider).")
    case .lastProvider(let provider):
      self.init(
        status: .refused, text: "\(provider) is the account's only sign-in method.",
        remedy: "gatehouse-example delete")
    }
  }

  init(_ error: ClientError) {
    switch error {
    case .notSignedIn: self = .notSignedIn
    case .cancelled: self = .cancelled
    case .network(let fault):
      self.init(
        status: .offline, text: "The server could not be reached (\(fault.kind.rawValue)).",
        remedy: "Is it running? See --server.")
    case .sessionEnded(let end):
      self.init(
        status: .notSignedIn, text: "The session has ended: \(end.rawValue).",
        remedy: "gatehouse-example login …")
    case .credentialInUse, .phoneNumberInUse:
      self.init(
        status: .refused, text: "Another account has this credential.",
        remedy: "Sign in to that account: gatehouse-example login …")
    case .accountExists(_, let providers, _):
      self.init(
        status: .refused, text: "An account with this address exists.",
        remedy: "Sign in to it with \(providers.list), then use `gatehouse-example link`.")
    case .needsRecentSignIn(let providers):
      self.init(
        status: .refused, text: "This needs a recent sign-in.",
        remedy: "Sign in again with \(providers.list).")
    case .nonce:
      self.init(status: .refused, text: "The provider's token was used before.")
    case .consentRequired: self.init(status: .refused, text: "The project requires your consent.")
    case .secondFactorRequired:
      self.init(
        status: .refused, text: "The account needs a second factor, which this example lacks.")
    case .userMismatch: self.init(status: .refused, text: "This credential opens another account.")
    case .store(let fault):
      self.init(
        status: .refused, text: "The session isn't stored: \(fault.detail)", remedy: "See --data.")
    case .server(let refusal): self.init(refusal)
    case .badAnswer(let detail), .invalidArgument(let detail):
      self.init(status: .refused, text: detail)
    }
  }

  private init(_ refusal: ServerRefusal) {
    let text: String? =
      switch refusal.code {
      case "EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS":
        "The address or the password is wrong."
      case "EMAIL_EXISTS": "An account with this address exists."
      case "WEAK_PASSWORD": "The password is too weak."
      case "OPERATION_NOT_ALLOWED": "The project doesn't allow this sign-in method."
      case "TOO_MANY_ATTEMPTS_TRY_LATER": "There were too many attempts."
      default: nil
      }
    self.init(status: .refused, text: text ?? "The server refused: \(refusal.code)")
  }
}

extension [Provider] {
  fileprivate var list: String {
    isEmpty ? "another method" : map(\.rawValue).joined(separator: " or ")
  }
}

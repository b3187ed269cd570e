import GatehouseJSON
import GatehouseWire

/// `accounts:batchCreate`: imports accounts of another system.
struct BatchCreateRequest: WireRequest {
  static let maximumCount = 1000

  var users: [UploadedUser]
  var hash: HashParameters
  /// Refuses the whole request if it contains an email address or identity twice.
  var sanityCheck: Bool
  /// Replaces accounts that already exist, and accepts a user id that occurs twice in the request.
  var allowOverwrite: Bool

  init(_ fields: WireFields) throws(WireError) {
    users = []
    for message in try fields.messages("users") { users.append(try UploadedUser(message)) }
    hash = try HashParameters(fields)
    sanityCheck = try fields.bool("sanityCheck") ?? false
    allowOverwrite = try fields.bool("allowOverwrite") ?? false
  }
}

struct BatchCreateResponse: WireResponse {
  var errors: [Failure]

  init(errors: [Failure]) { self.errors = errors }

  struct Failure: Hashable, Sendable {
    /// The index of the account in the request.
    var index: Int
    var message: String

    init(index: Int, message: String) {
      self.index = index
      self.message = message
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#UploadAccountResponse")
    guard !errors.isEmpty else { return }
    writer.array("error") { list in
      for error in errors {
        list.object {
          $0.member("index", error.index)
          $0.member("message", error.message)
        }
      }
    }
  }
}

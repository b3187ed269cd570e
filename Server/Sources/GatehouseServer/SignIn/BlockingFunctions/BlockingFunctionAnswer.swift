import GatehouseProtocol
import GatehouseTokens

/// The response of a blocking function, read.
///
/// Source: the response that Firebase's functions SDK writes: `userRecord` with an `updateMask` that names
/// the fields to change, or `error` with `message` and `status`.
package struct BlockingFunctionAnswer: Sendable {
  package let outcome: BlockingOutcome
  /// The names of the members that have no effect here, for the log. Google's service ignores unknown
  /// members too: a function must not lock out all users because of one, such as
  /// `recaptchaActionOverride`, which Firebase's SDK writes.
  package let ignored: [String]

  /// More names than a log needs.
  private static let maximumIgnored = 8

  /// - Throws: ``BlockingFunctionFault`` for everything that is neither a permission nor a refusal.
  package init(
    _ response: OutboundResponse, to trigger: BlockingFunction.Trigger
  ) throws(BlockingFunctionFault) {
    switch response.status {
    case 200..<300:
      let (changes, ignored) = try Self.changes(in: response.body, trigger)
      outcome = .allowed(changes)
      self.ignored = Array(ignored.prefix(Self.maximumIgnored))
    case 400..<500:
      outcome = .refused(try Self.refusal(in: response))
      ignored = []
    default: throw .status(response.status)
    }
  }

  /// A refusal is recognised by its body: a proxy's 404, or a 401 because the function doesn't accept the
  /// signature, is a failure.
  private static func refusal(
    in response: OutboundResponse
  ) throws(BlockingFunctionFault) -> BlockingRefusal {
    guard let body = try? JSONObject(parsing: response.body),
      let error = body["error"]?.object, let message = error["message"]?.string,
      let status = error["status"]?.string
    else { throw .status(response.status) }
    return BlockingRefusal(message: message, status: status)
  }

  private static func changes(
    in bytes: [UInt8], _ trigger: BlockingFunction.Trigger
  ) throws(BlockingFunctionFault) -> (BlockingChanges, ignored: [String]) {
    guard let body = try? JSONObject(parsing: bytes) else { throw .notJSON }
    // Frameworks respond with 200 unless the function sets another status. A function that wants to refuse
    // must not let anyone in.
    if let error = body["error"], error != .null { throw .errorWithSuccess }
    var changes = BlockingChanges()
    var ignored: [String] = []
    for member in body.members where !member.name.utf8.elementsEqual("userRecord".utf8) {
      ignored.append(shown(member.name))
    }
    guard let value = body["userRecord"] else { return (changes, ignored) }
    guard let record = value.object else { throw .invalidMember("userRecord") }
    for member in record.members
    where Field(member.name) == nil && !member.name.utf8.elementsEqual("updateMask".utf8) {
      ignored.append("userRecord.\(shown(member.name))")
    }
    guard let mask = record["updateMask"]?.string else { throw .invalidMember("updateMask") }
    for name in mask.split(separator: ",") {
      let name = name.drop { $0 == " " }
      guard let field = Field(String(name)) else {
        ignored.append("updateMask: \(shown(String(name)))")
        continue
      }
      try field.apply(record[String(name)] ?? .null, to: &changes, trigger)
    }
    do throws(ProfileBounds.Fault) {
      try ProfileBounds.check(
        displayName: changes.displayName.newValue, photoURL: changes.photoURL.newValue)
    } catch {
      switch error {
      case .nameTooLong, .nameHasControlCharacters: throw .invalidMember("displayName")
      case .photoURLTooLong, .photoURLHasControlCharacters: throw .invalidMember("photoUrl")
      }
    }
    return (changes, ignored)
  }

  /// The name of a member, for the log.
  private static func shown(_ name: String) -> String {
    String(
      decoding: name.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }

  /// The fields that a function may change.
  private enum Field {
    case displayName, photoURL, disabled, emailVerified, customClaims, sessionClaims

    init?(_ name: String) {
      switch name {
      case "displayName": self = .displayName
      // Firebase's SDK writes the second form, its service documents the first.
      case "photoUrl", "photoURL": self = .photoURL
      case "disabled": self = .disabled
      case "emailVerified": self = .emailVerified
      case "customClaims": self = .customClaims
      case "sessionClaims": self = .sessionClaims
      default: return nil
      }
    }

    /// - Parameter value: Null if the member is absent: the field is then removed, or set to false.
    func apply(
      _ value: JSONValue, to changes: inout BlockingChanges, _ trigger: BlockingFunction.Trigger
    ) throws(BlockingFunctionFault) {
      switch self {
      case .displayName: changes.displayName = try Self.text(value, "displayName")
      case .photoURL: changes.photoURL = try Self.text(value, "photoUrl")
      case .disabled: changes.isDisabled = try Self.flag(value, "disabled")
      case .emailVerified: changes.isEmailVerified = try Self.flag(value, "emailVerified")
      case .customClaims:
        let claims = try Self.claims(value, "customClaims")
        changes.customClaims = claims.map { .set($0) } ?? .remove
      case .sessionClaims:
        // A new account has no session yet. Without this error the claims would be lost unnoticed.
        guard trigger == .beforeSignIn else { throw .forbiddenMember("sessionClaims") }
        changes.sessionClaims = try Self.claims(value, "sessionClaims")
      }
    }

    /// A number is taken as it is written, as in every request of the API.
    private static func text(
      _ value: JSONValue, _ name: String
    ) throws(BlockingFunctionFault) -> Change<String> {
      if value.isNull { return .remove }
      guard let text = value.string ?? value.number?.text else { throw .invalidMember(name) }
      return text.isEmpty ? .remove : .set(text)
    }

    private static func flag(
      _ value: JSONValue, _ name: String
    ) throws(BlockingFunctionFault) -> Bool {
      if value.isNull { return false }
      guard let flag = value.bool else { throw .invalidMember(name) }
      return flag
    }

    /// Nil if there are none.
    private static func claims(
      _ value: JSONValue, _ name: String
    ) throws(BlockingFunctionFault) -> CustomClaims? {
      if value.isNull { return nil }
      guard let object = value.object else { throw .invalidMember(name) }
      if object.isEmpty { return nil }
      do throws(CustomClaimsError) {
        return try CustomClaims(jsonText: JSONValue.object(object).text())
      } catch {
        switch error {
        case .tooLarge: throw .claimsTooLarge(name)
        case .forbidden(let claim): throw .forbiddenMember("\(name).\(shown(claim))")
        case .invalid: throw .invalidMember(name)
        }
      }
    }
  }
}

extension Change<String> {
  fileprivate var newValue: String? {
    if case .set(let text) = self { text } else { nil }
  }
}

/// Why a blocking function gave no answer that can be used.
package enum BlockingFunctionFault: Error, Hashable, Sendable, CustomStringConvertible {
  case malformedURL
  /// The server has no key to sign with.
  case notSigned
  case notSent(OutboundError)
  /// The project has the maximum of calls in flight.
  case tooManyCalls
  /// Not 2xx, and not a refusal in Firebase's form.
  case status(Int)
  case notJSON
  /// The body of a 2xx response has a member `error`.
  case errorWithSuccess
  /// A reserved claim, or a member that this trigger doesn't have.
  case forbiddenMember(String)
  case invalidMember(String)
  case claimsTooLarge(String)

  /// What clients are told if the function's policy is to refuse.
  package var refusal: BlockingRefusal {
    if case .notSent(.timedOut) = self { .tooSlow } else { .failure }
  }

  package var description: String {
    switch self {
    case .malformedURL: "the function's URL is malformed"
    case .notSigned: "the question could not be signed"
    case .notSent(let error): error.description
    case .tooManyCalls:
      "\(BlockingFunction.maximumCallsPerProject) calls of the project's functions are in flight"
    case .status(let status):
      "the function responded with status \(status), and not with an error in Firebase's form"
    case .notJSON: "the response is not a JSON object"
    case .errorWithSuccess:
      "the response has an error, but its status says success: to refuse, respond with a status from "
        + "400 to 499"
    case .forbiddenMember(let name): "the response sets what the function may not set: \(name)"
    case .invalidMember(let name): "the response has an invalid value: \(name)"
    case .claimsTooLarge(let name):
      "\(name) in the response is longer than \(CustomClaims.greatestLength) characters"
    }
  }
}

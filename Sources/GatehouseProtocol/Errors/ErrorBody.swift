/// The body of an error of Identity Toolkit or Secure Token: `{"error":{"code":…,"message":…,…}}`.
///
/// Identity Toolkit's errors with a code of the protocol have a list (`errors`) and usually no
/// `status`. Secure Token's errors have a `status` and no list.
public struct ErrorBody: WireMessage {
  /// The HTTP status, repeated.
  public var code: Int
  /// `CODE`, or `CODE : detail`: clients split it at the first colon. If it is empty, the response has
  /// none: a temporary error for an app has only that of ``details``.
  public var message: String
  /// `INVALID_ARGUMENT`, …: a name of `google.rpc.Code`.
  public var status: String?
  public var details: [Detail]
  /// An extension: what the user has to consent to first.
  public var consentRequired: ConsentRequired?

  public init(code: Int, message: String, status: String? = nil, details: [Detail] = []) {
    self.code = code
    self.message = message
    self.status = status
    self.details = details
  }

  public struct Detail: Hashable, Sendable {
    public var message: String
    public var reason: String
    /// The name of the header that caused the error, such as `Authorization`.
    public var header: String?

    public init(message: String, reason: String, header: String? = nil) {
      self.message = message
      self.reason = reason
      self.header = header
    }
  }

  /// Requires only a message, which may be in the list. Other fields of the wrong type count as absent:
  /// without them, a client still knows the error's code.
  public init(_ fields: WireFields) throws(WireError) {
    guard let error = try fields.message("error") else {
      throw WireError(field: "error", wanted: .message)
    }
    let details = ((try? error.messages("errors")) ?? []).map { Detail($0) }
    let listed = details.first.flatMap { $0.message.isEmpty ? nil : $0.message }
    guard let message = try error.string("message") ?? listed else {
      throw WireError(field: "error.message", wanted: .string)
    }
    self.message = message
    self.details = details
    code = Int(clamping: (try? error.int64("code")) ?? 0)
    status = try? error.nonEmptyString("status")
    consentRequired = try? ConsentRequired.read(from: error)
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("error") { error in
      error.member("code", code)
      if !message.isEmpty { error.member("message", message) }
      if !details.isEmpty {
        error.array("errors") { list in
          for detail in details { list.object { detail.write(to: &$0) } }
        }
      }
      error.member("status", ifPresent: status)
      consentRequired?.write(to: &error)
    }
  }
}

extension ErrorBody.Detail {
  fileprivate init(_ fields: WireFields) {
    message = (try? fields.string("message")) ?? ""
    reason = (try? fields.string("reason")) ?? ""
    header = try? fields.nonEmptyString("location")
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("message", message)
    writer.member("domain", "global")
    writer.member("reason", reason)
    if let header {
      writer.member("location", header)
      writer.member("locationType", "header")
    }
  }
}

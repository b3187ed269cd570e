/// An extension: the user's consent, in a request that joins data in their account.
public struct ConsentMessage: WireMessage {
  /// The version of the text that the user was shown, in the app's own numbering.
  public var version: String
  /// What may be joined: provider ids, `email`, `phone`.
  public var joins: [String]

  public init(version: String, joins: [String]) {
    self.version = version
    self.joins = joins
  }

  public init(_ fields: WireFields) throws(WireError) {
    version = try fields.string("version") ?? ""
    joins = try fields.strings("joins")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("version", version)
    writer.member("joins", joins)
  }

  /// The consent in a request that may have one.
  static func read(from request: WireFields) throws(WireError) -> ConsentMessage? {
    guard let message = try request.message("consent") else { return nil }
    return try ConsentMessage(message)
  }

  /// Writes the consent as a member of a request.
  func write(to writer: inout JSONWriter) {
    writer.object("consent") { writeMembers(to: &$0) }
  }
}

/// What the user has to consent to, in the response to a request without their consent.
public struct ConsentRequired: Hashable, Sendable {
  public var joins: [String]

  public init(joins: [String]) { self.joins = joins }

  /// Nil if the response doesn't require consent.
  static func read(from answer: WireFields) throws(WireError) -> ConsentRequired? {
    guard let message = try answer.message("consentRequired") else { return nil }
    return ConsentRequired(joins: try message.strings("joins"))
  }

  func write(to writer: inout JSONWriter) {
    writer.object("consentRequired") { $0.member("joins", joins) }
  }
}

/// A consent that is stored with an account.
public struct ConsentInfo: Hashable, Sendable {
  public var version: String
  public var joins: [String]
  /// Milliseconds since 1970.
  public var givenAt: Int64

  public init(version: String, joins: [String], givenAt: Int64) {
    self.version = version
    self.joins = joins
    self.givenAt = givenAt
  }

  func write(to writer: inout JSONWriter) {
    writer.object { consent in
      consent.member("version", version)
      consent.member("joins", joins)
      consent.member("givenAt", String(givenAt))
    }
  }
}

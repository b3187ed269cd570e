import GatehouseJSON

/// An extension: the user's consent, in a request that joins data in their account.
public struct ConsentMessage: WireRequest {
  /// The version of the text that the user was shown, in the app's own numbering.
  public var version: String
  /// What may be joined: provider ids, `email`, `phone`.
  public var joins: [String]

  public init(_ fields: WireFields) throws(WireError) {
    version = try fields.string("version") ?? ""
    joins = try fields.strings("joins")
  }
}

/// What the user has to consent to, in the answer to a request without their consent.
public struct ConsentRequired: Hashable, Sendable {
  public var joins: [String]

  public init(joins: [String]) { self.joins = joins }

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

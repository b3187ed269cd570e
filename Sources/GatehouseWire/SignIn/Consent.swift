import GatehouseJSON

/// An extension: what the person agreed to, in a request that joins data to their account.
public struct ConsentMessage: WireRequest {
  /// Which text the person was shown, in the app's own numbering.
  public var version: String
  /// What may come together: provider ids, `email`, `phone`.
  public var joins: [String]

  public init(_ fields: WireFields) throws(WireError) {
    version = try fields.string("version") ?? ""
    joins = try fields.strings("joins")
  }
}

/// What the person has to agree to, in the answer to a request without their consent.
public struct ConsentRequired: Hashable, Sendable {
  public var joins: [String]

  public init(joins: [String]) { self.joins = joins }

  func write(to writer: inout JSONWriter) {
    writer.object("consentRequired") { $0.member("joins", joins) }
  }
}

/// A consent that is kept with an account.
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

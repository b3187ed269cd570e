public import struct Foundation.Date
public import GatehouseProtocol

/// Writes a token's payload. Members keep the order of the calls.
///
/// **The first member with a name wins**: a later one with the same name at the same level is left
/// out. Write members that must not be overridden before ``custom(_:)`` and ``claims(of:)``, and
/// members that a custom claim may replace (`name`, `picture`) after them. The payload never has
/// duplicate members, which verifiers refuse.
public struct ClaimsWriter: Sendable {
  private var writer: JSONWriter
  private var names: [String] = []

  private init(writer: JSONWriter) { self.writer = writer }

  /// The bytes of one JSON object with the members that `body` writes.
  public static func payload<E>(
    _ body: (inout ClaimsWriter) throws(E) -> Void
  ) throws(E) -> [UInt8] {
    var claims = ClaimsWriter(writer: JSONWriter(reservingCapacity: 1024))
    try claims.members(body)
    return claims.writer.bytes
  }

  public mutating func string(_ name: String, _ value: String) {
    if begin(name) { writer.value(value) }
  }

  /// Left out if nil.
  public mutating func string(_ name: String, ifPresent value: String?) {
    if let value { string(name, value) }
  }

  public mutating func bool(_ name: String, _ value: Bool) {
    if begin(name) { writer.value(value) }
  }

  public mutating func int(_ name: String, _ value: Int64) {
    if begin(name) { writer.value(value) }
  }

  /// Whole seconds since 1970, rounded down. A date outside the range of 64 bits becomes the
  /// nearest value in it.
  public mutating func date(_ name: String, _ value: Date) {
    let seconds = value.timeIntervalSince1970.rounded(.down)
    int(name, Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
  }

  public mutating func strings(_ name: String, _ values: [String]) {
    guard begin(name) else { return }
    writer.array { for value in values { $0.value(value) } }
  }

  public mutating func object<E>(
    _ name: String, _ body: (inout ClaimsWriter) throws(E) -> Void
  ) throws(E) {
    guard begin(name) else { return }
    let outerNames = names
    names = []
    try members(body)
    names = outerNames
  }

  /// An array with an object for each element.
  public mutating func objects<Element, E>(
    _ name: String, _ elements: [Element],
    _ body: (inout ClaimsWriter, Element) throws(E) -> Void
  ) throws(E) {
    guard begin(name) else { return }
    let outerNames = names
    writer.openArray()
    for element in elements {
      names = []
      try members { (claims) throws(E) in try body(&claims, element) }
    }
    writer.closeArray()
    names = outerNames
  }

  /// Leaves out later members with these names, at this level.
  public mutating func reserve(_ reserved: [String]) { names += reserved }

  /// The members of a developer's claims, at this level.
  public mutating func custom(_ claims: CustomClaims) {
    for member in claims.object.members where begin(member.name) { writer.value(member.value) }
  }

  /// The members of another token's claims, at this level.
  public mutating func claims(of token: VerifiedToken) {
    for member in token.claims.json.members where begin(member.name) { writer.value(member.value) }
  }

  /// The claims of a session's sign-in, copied without parsing their text.
  public mutating func attributes(_ name: String, _ attributes: SignInAttributes) {
    if begin(name) { writer.raw(attributes.jsonText.utf8) }
  }

  private mutating func members<E>(
    _ body: (inout ClaimsWriter) throws(E) -> Void
  ) throws(E) {
    writer.openObject()
    try body(&self)
    writer.closeObject()
  }

  /// Writes the name, unless it was written before at this level.
  private mutating func begin(_ name: String) -> Bool {
    // Compares lengths first, which is faster, because most names differ in length. A payload is
    // written at every sign-in.
    let count = name.utf8.count
    guard !names.contains(where: { $0.utf8.count == count && $0.hasSameBytes(as: name) }) else {
      return false
    }
    names.append(name)
    writer.name(name)
    return true
  }
}

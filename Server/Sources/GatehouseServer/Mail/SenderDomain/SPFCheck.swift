/// Whether a domain says which servers may send its mail (SPF, RFC 7208).
///
/// The record isn't evaluated for a sender's IP address: only the mail provider knows from which
/// addresses it sends.
package enum SPFVerdict: Hashable, Sendable {
  case missing
  /// With more than one record there is none (§4.5).
  case several(Int)
  /// The record of a domain contains a malformed or unknown term. Receivers then ignore the record
  /// (§4.6).
  case invalid(term: String, of: String)
  /// An included domain, or the target of `redirect`, has no record (§5.2, §6.1).
  case missingInclusion(String)
  /// More than ten terms that need a lookup: receivers stop there (§4.6.4).
  case tooManyLookups
  /// Every server may send, or every second one: `+all`, also in an included record, or a range with at least half
  /// of all IPv4 or IPv6 addresses.
  case allowsAll
  /// The record says nothing about other servers: it has no `all`, or `?all`.
  case neutral
  case good(lookups: Int)
}

/// Reads the record of a domain, and of those it includes.
package struct SPFCheck {
  private static let maximumLookups = 10

  private let resolver: any DNSResolver
  private var lookups = 0

  package static func verdict(
    of domain: String, asking resolver: any DNSResolver
  ) async throws(DNSFault) -> SPFVerdict {
    var check = SPFCheck(resolver: resolver)
    do throws(Stop) {
      let all = try await check.read(domain)
      return switch all {
      case "+": .allowsAll
      case "-", "~": .good(lookups: check.lookups)
      default: .neutral
      }
    } catch {
      switch error {
      case .verdict(let verdict): return verdict
      case .dns(let fault): throw fault
      }
    }
  }

  private init(resolver: any DNSResolver) { self.resolver = resolver }

  private enum Stop: Error {
    case verdict(SPFVerdict)
    case dns(DNSFault)
  }

  /// - Returns: The qualifier of `all`; nil without it.
  private mutating func read(_ domain: String, isIncluded: Bool = false) async throws(Stop)
    -> Character?
  {
    let texts: [String]
    do { texts = try await resolver.texts(of: domain) } catch { throw .dns(error) }
    let records = texts.filter {
      let start = $0.prefix { $0 != " " }
      return start.lowercased() == "v=spf1"
    }
    guard let record = records.first else {
      throw .verdict(isIncluded ? .missingInclusion(domain) : .missing)
    }
    guard records.count == 1 else { throw .verdict(.several(records.count)) }
    var all: Character?
    var redirect: String?
    for term in record.split(separator: " ").dropFirst() {
      let term = String(term)
      guard let parsed = SPFTerm(term) else { throw .verdict(.invalid(term: term, of: domain)) }
      if case .redirect(let target) = parsed { redirect = target }
      // "Mechanisms after "all" will never be tested." (§5.1)
      if all != nil { continue }
      switch parsed {
      case .all(let qualifier): all = qualifier
      case .include(let target, let qualifier):
        try count()
        if !target.contains("%"), try await read(target, isIncluded: true) == "+" {
          // The included record allows every server, so the term applies to every server (§5.2).
          all = qualifier
        }
      case .lookup(let allowsAll):
        try count()
        if allowsAll { all = "+" }
      case .redirect, .other: break
      }
    }
    // `redirect` is ignored if there is an `all` (§6.1).
    guard all == nil, let redirect else { return all }
    try count()
    return redirect.contains("%") ? "-" : try await read(redirect, isIncluded: true)
  }

  private mutating func count() throws(Stop) {
    lookups += 1
    if lookups > Self.maximumLookups { throw .verdict(.tooManyLookups) }
  }
}

/// A term, as far as the check needs it (RFC 7208 §4.6.1).
private enum SPFTerm {
  case all(Character)
  case include(String, Character)
  case redirect(String)
  /// `a`, `mx`, `ptr`, `exists`.
  case lookup(allowsAll: Bool)
  /// An address, or a modifier that changes nothing here.
  case other

  init?(_ text: String) {
    let qualifier: Character? = text.first.flatMap { "+-~?".contains($0) ? $0 : nil }
    let body = qualifier == nil ? Substring(text) : text.dropFirst()
    let name = body.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      .lowercased()
    let rest = body.dropFirst(name.count)
    let value = String(rest.dropFirst())
    let allows = qualifier ?? "+" == "+"
    if rest.first == "=", qualifier == nil, name.first?.isLetter == true {
      if name == "redirect", value.isEmpty { return nil }
      self = name == "redirect" ? .redirect(value) : .other
      return
    }
    switch (name, rest.first) {
    case ("all", nil): self = .all(qualifier ?? "+")
    case ("include", ":") where !value.isEmpty: self = .include(value, qualifier ?? "+")
    case ("exists", ":") where !value.isEmpty: self = .lookup(allowsAll: false)
    case ("a", nil), ("a", ":"), ("a", "/"), ("mx", nil), ("mx", ":"), ("mx", "/"):
      self = .lookup(allowsAll: allows && Self.hasHugeRange(String(rest)))
    case ("ptr", nil), ("ptr", ":"): self = .lookup(allowsAll: false)
    case ("ip4", ":") where allows && Self.hasHugeRange(value),
      ("ip6", ":") where allows && Self.hasHugeRange(value):
      self = .all("+")
    case ("ip4", ":"), ("ip6", ":"): if value.isEmpty { return nil } else { self = .other }
    default: return nil
    }
  }

  /// Whether a range of IPv4 or IPv6 addresses has at least half of all: `/0` or `/1`. `a` and `mx` may end in both
  /// lengths, as in `/24//64` (§5.6).
  private static func hasHugeRange(_ text: String) -> Bool {
    text.split(separator: "/").dropFirst(text.first == "/" ? 0 : 1).contains {
      $0 == "0" || $0 == "1"
    }
  }
}

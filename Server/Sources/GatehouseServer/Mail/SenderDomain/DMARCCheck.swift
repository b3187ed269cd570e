/// What a domain's DMARC record (RFC 7489) says. It tells receivers what to do with mail in the
/// domain's name that passes neither SPF nor DKIM.
package enum DMARCVerdict: Hashable, Sendable {
  case missing
  /// With more than one record there is none (§6.6.3).
  case several(at: String)
  /// The record has no policy, or an unknown one.
  case invalid(at: String)
  /// `p=none`: mail in the domain's name that others send is delivered.
  case monitoring(at: String)
  case good(policy: String, at: String)
}

package enum DMARCCheck {
  /// Looks at the domain and, if it has no record, at the domains above it, but not at a top-level
  /// domain: the first record applies.
  package static func verdict(
    of domain: String, asking resolver: any DNSResolver
  ) async throws(DNSFault) -> DMARCVerdict {
    var labels = domain.split(separator: ".")
    var isSubdomain = false
    repeat {
      let name = "_dmarc." + labels.joined(separator: ".")
      let records = try await resolver.texts(of: name).filter(Self.isRecord)
      if records.count > 1 { return .several(at: name) }
      if let record = records.first {
        let tags = TagList(record)
        // A policy for subdomains takes precedence there (§6.3).
        let subdomains = isSubdomain ? tags["sp"] : nil
        switch (subdomains ?? tags["p"])?.lowercased() {
        case "none": return .monitoring(at: name)
        case let policy? where ["quarantine", "reject"].contains(policy):
          return .good(policy: policy, at: name)
        default: return .invalid(at: name)
        }
      }
      labels.removeFirst()
      isSubdomain = true
    } while labels.count > 1
    return .missing
  }

  private static func isRecord(_ text: String) -> Bool {
    text.split(separator: ";").first.map {
      $0.filter { !$0.isWhitespace } == "v=DMARC1"
    } ?? false
  }
}

/// `name=value; name=value` (RFC 6376 §3.2). If a name is repeated, its first value counts.
struct TagList {
  private var values: [String: String] = [:]

  init(_ text: String) {
    for part in text.split(separator: ";") {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].filter { !$0.isWhitespace }
      let value = part[part.index(after: equals)...].filter { !$0.isWhitespace }
      if values[name] == nil { values[name] = String(value) }
    }
  }

  subscript(_ name: String) -> String? { values[name] }
}

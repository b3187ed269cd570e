import Foundation
import GatehouseProtocol

/// The issuers of a vendor that has one key set for all customers, but a separate `iss` for each
/// customer, its tenant (Microsoft Entra ID,
/// <https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer>).
///
/// The configuration says which tenants are accepted. The token's `tid` selects one of them, and
/// `iss` must be exactly the issuer of that tenant.
public struct TenantRule: Sendable, Hashable {
  /// The text that stands for the tenant id in the vendor's documents.
  static let placeholder = "{tenantid}"

  /// The issuer with `{tenantid}` in place of the tenant id, such as
  /// `https://login.example.com/{tenantid}/v2.0`. A pattern without it accepts nothing.
  public let pattern: String

  public let tenants: Tenants

  /// Tenant ids: UUIDs in lower case, compared byte for byte.
  public enum Tenants: Sendable, Hashable {
    case any
    case except(String)
    case only(String)
  }

  public init(pattern: String, tenants: Tenants) {
    self.pattern = pattern
    self.tenants = tenants
  }

  /// The expected issuer in error responses: the only one that is accepted, or the pattern.
  public var configured: String {
    if case .only(let tenant) = tenants { issuer(of: tenant, in: pattern) } else { pattern }
  }

  /// The issuer that a token with this `tid` must have; nil if the tenant isn't accepted.
  func issuer(ofTenant tenant: String) -> String? {
    guard Self.isTenantID(tenant), pattern.contains(Self.placeholder) else { return nil }
    let isAccepted =
      switch tenants {
      case .any: true
      case .except(let other): !tenant.hasSameBytes(as: other)
      case .only(let one): tenant.hasSameBytes(as: one)
      }
    return isAccepted ? issuer(of: tenant, in: pattern) : nil
  }

  /// Whether a key whose JWK has `keyIssuer` as `issuer` may sign for `issuer` of `tenant`: "ensure
  /// that the tenant ID … of the key's issuer matches" (the same page, "Validate the signing key
  /// issuer").
  func isKey(of keyIssuer: String, for issuer: String, tenant: String) -> Bool {
    self.issuer(of: tenant, in: keyIssuer).hasSameBytes(as: issuer)
  }

  /// Whether `text` is a UUID in lower case.
  public static func isTenantID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-")
          : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      }
  }

  private func issuer(of tenant: String, in pattern: String) -> String {
    guard let place = pattern.range(of: Self.placeholder) else { return pattern }
    return pattern.replacingCharacters(in: place, with: tenant)
  }
}

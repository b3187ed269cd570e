import Foundation
import GatehouseModel

/// What the setting of that name takes: the issuer of every token, so no more than clients read alike.
enum PublicURL {
  /// The URL without a slash at its end.
  static func checked(_ text: String) throws(SettingFault) -> String {
    guard let components = URLComponents(string: text),
      let host = components.host, !host.isEmpty,
      components.query == nil, components.fragment == nil, components.user == nil,
      components.scheme == "https"
        || components.scheme == "http" && LoopbackName.isLoopback(host)
    else {
      throw SettingFault(
        "“\(text)” is not an https URL without query, such as https://auth.example.com (http is "
          + "for loopback only)")
    }
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard isPlain(path: URLComponents(string: url)?.percentEncodedPath ?? "") else {
      throw SettingFault(
        "“\(text)” has a path of more than names between slashes, such as "
          + "https://example.com/auth: browsers and proxies would read it differently")
    }
    return url
  }

  /// Whether a path, which a proxy is to take off, is names of letters, digits, `-`, `_` and `.`, none
  /// of them empty or dots alone.
  private static func isPlain(path: String) -> Bool {
    guard !path.isEmpty else { return true }
    return path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { name in
        !name.isEmpty && !name.allSatisfy { $0 == "." }
          && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      }
  }
}

import Foundation
import GatehouseProtocol

/// The value of the setting `publicURL`. The issuer of every token begins with it, so it may
/// contain only what all clients read in the same way.
enum PublicURL {
  /// The URL without a slash at its end.
  ///
  /// - Parameter allowsHTTP: Whether `http` is allowed also for other hosts than loopback, as in `--dev`.
  static func checked(_ text: String, allowsHTTP: Bool = false) throws(SettingFault) -> String {
    guard let components = URLComponents(string: text),
      let host = components.host, !host.isEmpty,
      components.query == nil, components.fragment == nil, components.user == nil,
      components.scheme == "https"
        || components.scheme == "http" && (allowsHTTP || LoopbackName.isLoopback(host))
    else {
      throw SettingFault(
        "“\(text)” is not an https URL without user, query and fragment, such as "
          + "https://auth.example.com (http is allowed for loopback only)")
    }
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard isPlain(path: URLComponents(string: url)?.percentEncodedPath ?? "") else {
      throw SettingFault(
        "“\(text)” has a path that browsers and proxies could read differently: write names "
          + "between slashes, as in https://example.com/auth")
    }
    return url
  }

  /// Whether a path consists of names of ASCII letters, digits, `-`, `_` and `.` between slashes.
  /// No name may be empty or only dots. A proxy has to remove the path.
  private static func isPlain(path: String) -> Bool {
    guard !path.isEmpty else { return true }
    return path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { name in
        !name.isEmpty && !name.allSatisfy { $0 == "." }
          && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      }
  }
}

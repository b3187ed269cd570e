import GatehouseProtocol
public import struct Foundation.Date

/// The result of every check of a token, for a developer who asks why a sign-in fails.
///
/// Unlike ``TokenVerifier``, it doesn't stop at the first failure, and it shows claims even if the
/// signature is invalid. **It is only for display: don't base a decision on it.** The token, the
/// signature, nonces and hashes of secrets don't appear.
public struct TokenExplanation: Sendable, Hashable {
  public let checks: [Check]

  /// Whether no check failed. Skipped checks don't count.
  public var holds: Bool { !checks.contains { $0.verdict == .fail } }

  /// The result of one check.
  public struct Check: Sendable, Hashable {
    public let name: String
    public let verdict: Verdict
    /// The error's code, if the verdict is ``Verdict/fail``.
    public let code: TokenError.Code?
    public let expected: String
    public let got: String
  }

  public enum Verdict: String, Sendable, Hashable {
    case pass
    case fail
    /// The check doesn't apply, or it can't run because an earlier check failed.
    case skipped
  }

  /// What belongs to the request rather than to the policy.
  public struct Request: Sendable {
    /// The raw nonce.
    public var nonce: String?
    public var accessToken: String?
    public var code: String?
    public var nonceRule = NonceRule()

    public init(nonce: String? = nil, accessToken: String? = nil, code: String? = nil) {
      self.nonce = nonce
      self.accessToken = accessToken
      self.code = code
    }
  }

  /// Checks `token` as ``TokenVerifier`` with this policy does, and the request's nonce and hashes.
  ///
  /// If the explanation ``holds``, ``TokenVerifier/verify(_:keys:now:)`` accepts the token.
  public init(
    of token: String, keys: KeySet, policy: TokenPolicy, request: Request = Request(), now: Date,
    limits: TokenLimits = .standard
  ) {
    var explainer = Explainer(keys: keys, policy: policy, request: request, now: now)
    explainer.explain(token, limits: limits)
    checks = explainer.checks
  }
}

extension TokenExplanation {
  /// A table with a line for each check and aligned columns. Ends with a line break.
  public var table: String {
    let header = ["", "CHECK", "EXPECTED", "GOT"]
    let rows =
      [header] + checks.map { [$0.verdict.rawValue, $0.name, $0.expected, $0.got] }
    let widths = header.indices.dropLast().map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { Self.line($0, widths: widths) + "\n" }.joined()
  }

  private static func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      line += cell
      if column < widths.count {
        line += String(repeating: " ", count: widths[column] - cell.count + 2)
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// `{"valid":…,"checks":[{"name","verdict","code","expected","got"},…]}`. Only a check that
  /// failed has `code`; only a check that ran has `expected` and `got`.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("valid", holds)
      $0.array("checks") { rows in
        for check in checks { check.write(to: &rows) }
      }
    }
    return writer.bytes
  }
}

extension TokenExplanation.Check {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("verdict", verdict.rawValue)
      $0.member("code", ifPresent: code?.rawValue)
      if verdict != .skipped {
        $0.member("expected", expected)
        $0.member("got", got)
      }
    }
  }
}

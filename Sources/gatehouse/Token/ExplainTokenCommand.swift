import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseTokens

struct ExplainTokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Run every check on a token and show each result.",
    discussion: """
      The exit status is 0 only if all checks pass. The token is read from standard input unless \
      it is an argument. The output doesn't contain the token.

        gatehouse token explain --jwks https://appleid.apple.com/auth/keys \\
          --issuer https://appleid.apple.com --audience com.example.app --nonce RAW -
      """)

  @Argument(help: "The token; - or no argument for standard input.")
  var token: String?

  @Option(help: "The key set: a file or a URL.")
  var jwks: String?

  @Option(
    help: """
      An issuer to accept. May be repeated, but with only one of Microsoft's issuers: a tenant's, or \
      https://login.microsoftonline.com/common/v2.0 for all tenants.
      """)
  var issuer: [String] = []

  @Option(help: "An audience to accept. May be repeated.")
  var audience: [String] = []

  @Option(help: "The raw nonce, as the app created it.")
  var nonce: String?

  @Option(help: "The access token that was issued with the token, for at_hash.")
  var accessToken: String?

  @Option(help: "The authorization code that was issued with the token, for c_hash.")
  var code: String?

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  @Flag(help: "Check only the signature, with any payload.")
  var signatureOnly = false

  @Option(
    help: "A file, or -, with lines {\"jwks\":{…},\"jws\":\"…\"}. Prints a result for each line.")
  var batch: String?

  func validate() throws {
    if batch != nil {
      guard signatureOnly else { throw ValidationError("--batch goes with --signature-only") }
      return
    }
    guard jwks != nil else { throw ValidationError("name the key set with --jwks FILE_OR_URL") }
    if !signatureOnly && (issuer.isEmpty || audience.isEmpty) {
      throw ValidationError(
        "name what to accept with --issuer and --audience, or check only the signature with "
          + "--signature-only")
    }
    if microsoftTenants.count > 1 {
      throw ValidationError(
        "name only one issuer of Microsoft with --issuer. For all tenants it is "
          + MicrosoftTenant.common.issuer)
    }
  }

  func run() async throws {
    if let batch { return try answerBatch(batch) }
    let keys = try await KeySetSource.load(jwks ?? "")
    let token = try readToken()
    let holds = signatureOnly ? explainSignature(token, keys) : explain(token, keys)
    if !holds { throw ExitCode.failure }
  }

  private func explain(_ token: String, _ keys: KeySet) -> Bool {
    // Microsoft's tenants share a key set, so the policy also checks that the key may sign for the
    // issuer, as in the server.
    var policy = TokenPolicy(
      issuers: issuer.filter { Self.microsoftTenant($0) == nil }, audiences: audience,
      algorithms: Set(SignatureAlgorithm.allCases))
    policy.tenants = microsoftTenants.first?.rule
    var request = TokenExplanation.Request(nonce: nonce, accessToken: accessToken, code: code)
    let rule = IdentityProviders.nonceRule(ofIssuers: issuer)
    request.nonceRule.acceptsOwnOfSDK = rule.acceptsOwnOfSDK
    request.nonceRule.acceptsUnhashed = rule.acceptsUnhashed
    let explanation = TokenExplanation(
      of: token, keys: keys, policy: policy, request: request, now: Self.now())
    if json {
      Terminal.say(String(decoding: explanation.json, as: UTF8.self))
    } else {
      Terminal.say(explanation.table.trimmingCharacters(in: .newlines))
    }
    return explanation.holds
  }

  private var microsoftTenants: [MicrosoftTenant] {
    issuer.compactMap(Self.microsoftTenant)
  }

  private static func microsoftTenant(_ issuer: String) -> MicrosoftTenant? {
    issuer.isEmpty ? nil : MicrosoftTenant(issuer: issuer)
  }

  /// In whole seconds, like the times in tokens: the table shows it.
  private static func now() -> Date {
    Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
  }

  private func explainSignature(_ token: String, _ keys: KeySet) -> Bool {
    let refusal: TokenError?
    do throws(TokenError) {
      let limits = TokenLimits(bytes: TokenLimits.greatestBytes)
      _ = try SignatureVerifier(keys: keys).verify(UnverifiedJWS(token, limits: limits))
      refusal = nil
    } catch {
      refusal = error
    }
    if json {
      Terminal.say(
        "{\"valid\":\(refusal == nil),\"code\":\"\(refusal?.code.rawValue ?? "ok")\"}")
    } else {
      Terminal.say(refusal.map { "fail  \($0)" } ?? "pass  the signature is valid")
    }
    return refusal == nil
  }

  /// Reads one line at a time, so that a file of any length needs bounded memory.
  private func answerBatch(_ path: String) throws {
    let lines = try LineReader(path, maximumBytes: SignatureBatch.maximumLineBytes)
    while let line = lines.next() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") }) { continue }
      Terminal.say(String(decoding: SignatureBatch.answer(line), as: UTF8.self))
    }
  }

  private func readToken() throws -> String {
    if let token, token != "-" { return token.trimmingCharacters(in: .whitespacesAndNewlines) }
    let data = (try? FileHandle.standardInput.readToEnd()) ?? Data()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { throw CommandFailure("there was no token on standard input") }
    return text
  }
}

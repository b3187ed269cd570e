import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer
import GatehouseTokens

struct ExplainTokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Run every check on a token and show each result.",
    discussion: """
      The exit status is 0 only if all checks pass. The token is read from standard input unless \
      it is an argument. The output doesn't contain the token. --jwks is required except with \
      --batch, and --issuer and --audience except with --signature-only. The command can't know \
      whether a token was used already.

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

/// Reads a file's lines one after the other. A line that is longer than the limit is cut off one
/// byte past the limit, and the rest of it is skipped.
final class LineReader {
  private let file: FileHandle
  private let maximumBytes: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// - Parameter path: A file; `-` for standard input.
  init(_ path: String, maximumBytes: Int) throws {
    guard let file = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path) else {
      throw CommandFailure("\(path): can't be read; does the file exist?")
    }
    self.file = file
    self.maximumBytes = maximumBytes
  }

  func next() -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if position == buffer.count && !fill() { return line.isEmpty ? nil : line }
      let rest = buffer[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line.append(contentsOf: rest[..<(end ?? rest.endIndex)].prefix(maximumBytes + 1 - line.count))
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return line }
    }
  }

  private func fill() -> Bool {
    guard !isAtEnd, let data = try? file.read(upToCount: 65_536), !data.isEmpty else {
      isAtEnd = true
      return false
    }
    buffer = Array(data)
    position = 0
    return true
  }
}

/// A key set from a file or a URL that the person at the terminal chose.
enum KeySetSource {
  static func load(_ source: String) async throws -> KeySet {
    let isURL = source.hasPrefix("https://") || source.hasPrefix("http://")
    let bytes = isURL ? try await fetch(source) : try read(source)
    do {
      return try KeySet(jwks: bytes)
    } catch {
      throw CommandFailure(
        "--jwks \(source): not a key set (\(error.rawValue)), which is {\"keys\": […]}. An "
          + "issuer's discovery document gives its URL as jwks_uri")
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CommandFailure("--jwks \(path): can't be read; does the file exist?")
    }
  }

  private static func fetch(_ text: String) async throws -> [UInt8] {
    guard let url = OutboundURL(text),
      url.isSecure || url.namesLoopback
    else { throw CommandFailure("--jwks \(text): must be an https URL (http only for loopback)") }
    // The person at the terminal may connect to everything that this machine can reach.
    let client = OutboundClient(
      rule: OutboundRule(privateHosts: [url.host], allowsLoopback: true), clock: { Date() })
    let result: Result<OutboundResponse, OutboundError>
    do throws(OutboundError) {
      result = .success(try await client.send(OutboundRequest(url)))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let response) where response.status == 200: return response.body
    case .success(let response):
      throw CommandFailure("--jwks \(text): the server responded with status \(response.status)")
    case .failure(let error): throw CommandFailure("--jwks \(text): \(error)")
    }
  }
}

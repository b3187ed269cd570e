import ArgumentParser
import Foundation
import GatehouseModel

/// Flags that every provider takes.
struct ProviderOptions: ParsableArguments {
  @Option(help: "One more client id of the same app. May be repeated.")
  var additionalClientID: [String] = []

  @Option(help: "An audience that may stand beside ours in a token. May be repeated.")
  var trustedAudience: [String] = []

  @Option(
    name: .customLong("allow-parameter"),
    help: ArgumentHelp(
      "A parameter that apps may add to the provider's request. May be repeated; replaces those of "
        + "before. Empty for none.", valueName: "name"))
  var allowedParameters: [String] = []

  @Option(help: "Whether its word about email addresses counts: always, authoritative, never.")
  var trustEmail: String?

  @Flag(inversion: .prefixedNo, help: "Refuse tokens without a nonce.")
  var requireNonce: Bool?

  @Flag(inversion: .prefixedEnableDisable, help: "Whether people can sign in with it.")
  var signIn: Bool?

  func validate() throws {
    if let trustEmail, EmailTrust(rawValue: trustEmail) == nil {
      throw ValidationError("--trust-email \(trustEmail): one of always, authoritative, never")
    }
  }

  func apply(to provider: inout ProviderConfiguration) {
    if !additionalClientID.isEmpty { provider.additionalClientIDs = additionalClientID }
    if !trustedAudience.isEmpty { provider.trustedAudiences = trustedAudience }
    if !allowedParameters.isEmpty {
      provider.allowedParameters = allowedParameters.filter { !$0.isEmpty }
    }
    provider.trustEmail = trustEmail.flatMap { EmailTrust(rawValue: $0) } ?? provider.trustEmail
    provider.requiresNonce = requireNonce ?? provider.requiresNonce
    provider.isEnabled = signIn ?? provider.isEnabled
  }

  /// Reads a secret from a file: on the command line it would show in the process list.
  static func secret(in path: String?, _ flag: String) throws -> Secret<String>? {
    guard let path else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandFailure(
        "\(flag) \(path): can't be read; does it exist, and may this user read it?")
    }
    return Secret(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

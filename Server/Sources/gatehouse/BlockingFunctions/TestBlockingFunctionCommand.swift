import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging

struct TestBlockingFunctionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Ask a function about a user who doesn't exist, and show its answer.",
    discussion: """
      The question has the uid gatehouse-test and the address gatehouse-test@example.com, and is \
      signed like every other question. Nothing is created.
      """)

  @OptionGroup var settings: SettingOptions
  @OptionGroup var function: BlockingFunctionArgument

  func run() async throws {
    let trigger = try function.parsed()
    let outbound = try functionClient()
    try await function.data.withDatabase { database in
      let id = try await function.project.resolve(in: database)
      let project = try await database.project(id)
      guard let found = project.blockingFunctions[trigger] else {
        throw CommandFailure("\(id) has no \(trigger.rawValue) function")
      }
      let keys = try await TokenSigningKeys.open(
        .idTokens, store: database.store, forms: KeyForms(), now: Date())
      var quiet = Logger(label: "gatehouse.blocking-functions")
      quiet.logLevel = .critical
      let client = BlockingFunctionClient(
        transport: outbound, codec: BlockingFunctionCodec(keys: keys), logger: quiet)
      let question = try Self.question(trigger, now: Date())
      var finding: Finding
      do throws(BlockingFunctionFault) {
        let answer = try await client.answer(
          of: found, to: question, in: project, now: Date())
        finding = Finding(trigger.rawValue, .ok, "\(found.url) \(Self.text(answer))")
      } catch {
        finding = Finding(
          trigger.rawValue, .failed(remedy: Self.remedy(error)), error.description)
      }
      try DoctorReport([finding]).say()
    }
  }

  private static func question(
    _ trigger: BlockingFunction.Trigger, now: Date
  ) throws -> BlockingQuestion {
    guard let uid = UID("gatehouse-test") else { throw CommandFailure("no test user") }
    var account = Account(uid: uid, createdAt: now)
    account.email = EmailAddress("gatehouse-test@example.com")
    return BlockingQuestion(
      trigger, about: account,
      context: BlockingContext(method: ProviderID.password.text, client: .unknown))
  }

  private static func text(_ answer: BlockingFunctionAnswer) -> String {
    let text =
      switch answer.outcome {
      case .allowed(let changes):
        changes.isEmpty ? "allows the user" : "allows the user, and changes the account"
      case .refused(let refusal): "refuses the user: \(refusal.message)"
      case .failed: "failed"
      }
    guard !answer.ignored.isEmpty else { return text }
    return "\(text); without effect: \(answer.ignored.joined(separator: ", "))"
  }

  private func functionClient() throws -> OutboundClient {
    let (hosts, authorities, seconds) = try settings.read {
      (
        $0.read(Settings.privateHosts), $0.read(Settings.privateAuthorities),
        $0.read(Settings.functionSeconds)
      )
    }
    return OutboundClient(
      functionsOn: hosts, authorities: authorities, seconds: seconds, clock: { Date() })
  }

  private static func remedy(_ fault: BlockingFunctionFault) -> String {
    switch fault {
    case .status(401), .status(403):
      "Does the function know its secret, and verify the JWT with this project's key set?"
    case .notSent(.refusedAddress(let host, _)):
      "If that is your own network, allow it: outbound.privateHosts=\(host)"
    case .notSent(.timedOut):
      "Users wait for the function's answer. Do slow work after it, or raise "
        + "\(Settings.functionSeconds.key)."
    case .notSent, .malformedURL, .notSigned, .tooManyCalls:
      "Is the function running, and can this machine reach it?"
    case .status, .notJSON, .errorWithSuccess, .forbiddenMember, .invalidMember, .claimsTooLarge:
      "Correct the function's answer: docs/guides/blocking-functions.md shows its form."
    }
  }
}

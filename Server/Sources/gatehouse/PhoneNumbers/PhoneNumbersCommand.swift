import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct PhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-numbers", abstract: "Sign-in by a code in a text message.",
    discussion: """
      The server sends no messages itself: it calls your webhook, which passes the code to your \
      message service. A running server applies a change within a second.
      """,
    subcommands: [
      SetPhoneNumbersCommand.self, ShowPhoneNumbersCommand.self, TestPhoneNumbersCommand.self,
    ])
}

struct TestPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Send the project's webhook a signed event, and report what is wrong.",
    discussion: """
      The event's type is phone.test: a receiver responds with 2xx and sends no message. The exit \
      status is 0 if the response is 2xx. Give the settings outbound.… with --set, as for serve.
      """)

  @OptionGroup var settings: SettingOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      guard let webhook = try await database.store.read({ try $0.codeWebhook(of: id) }) else {
        throw CommandFailure(
          "\(id) has no webhook; name it with `gatehouse phone-numbers set --webhook URL`")
      }
      let fault = try await send(.test(project: id), to: webhook)
      let check = "\(id) webhook"
      try DoctorReport([
        fault.map { Finding(check, .failed(remedy: Self.remedy($0)), $0.description) }
          ?? Finding(check, .ok, "it accepted the event, signed with the project's secret")
      ]).say()
    }
  }

  private func send(
    _ event: CodeWebhookEvent, to webhook: CodeWebhook
  ) async throws -> CodeWebhookFault? {
    let outbound = try settings.webhookClient()
    var fault: CodeWebhookFault?
    do throws(CodeWebhookFault) {
      try await CodeWebhookSender(transport: outbound, clock: { Date() }).send(event, to: webhook)
    } catch {
      fault = error
    }
    return fault
  }

  private static func remedy(_ fault: CodeWebhookFault) -> String {
    switch fault {
    case .refused(401), .refused(403):
      "Use the receiver's secret here: gatehouse phone-numbers set --webhook-secret-file FILE"
    case .refused: "The receiver must respond with 2xx to events whose type it doesn't know."
    case .notSent(.refusedAddress(let host, _)):
      "If that is your own network, allow it: outbound.privateHosts=\(host)"
    case .notSent: "Is the receiver running, and can this machine reach it?"
    }
  }
}

struct ShowPhoneNumbersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show how a project's users sign in by phone number.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await project.resolve(in: database)
      let (project, webhook) = try await database.store.read {
        (try $0.project(id), try $0.codeWebhook(of: id))
      }
      guard let policy = project?.policies.phone else { return }
      let prefixes = policy.allowedPrefixes
      let numbers = policy.testNumbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      Terminal.say("\(id)")
      Terminal.say("  sign-in       \(policy.isEnabled ? "on" : "off")")
      Terminal.say("  webhook       \(webhook?.url ?? "-")")
      Terminal.say("  prefixes      \(prefixes.isEmpty ? "-" : prefixes.joined(separator: " "))")
      Terminal.say("  test numbers  \(numbers.isEmpty ? "-" : numbers.joined(separator: " "))")
      Terminal.say(
        """
          messages      \(policy.messagesPerDay) in 24 hours; in an hour \
        \(policy.messagesPerNumber) per number, \(policy.messagesPerRange) per range of numbers, \
        \(policy.messagesPerAddress) per client address
        """)
    }
  }
}

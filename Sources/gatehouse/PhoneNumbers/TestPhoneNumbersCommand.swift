import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseModel

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

import GatehouseAccounts
import GatehouseModel
import GatehouseWire
import Logging
import Metrics

/// `accounts:sendVerificationCode`: a code to a telephone number.
///
/// Tells nothing of accounts: a number that one has is answered like any other. What Google's clients
/// send to show that they are apps isn't asked for: the limits of `PhonePolicy` hold for everybody.
struct SendVerificationCode: Endpoint {
  let services: APIServices
  private let metrics = VerificationCodeMetrics()

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    Route.account("sendVerificationCode", v3: "sendVerificationCode", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SendVerificationCodeRequest.self)
    let project = try call.requireProject()
    // Not MISSING_PHONE_NUMBER: as the service and its emulator answer.
    let number = try PhoneNumber(checking: request.phoneNumber ?? "")
    do {
      let sessionInfo = try await services.accounts.sendVerificationCode(
        to: number, language: call.language, from: call.client, in: project, now: call.now)
      metrics.count(.sent)
      return Answer(SendVerificationCodeResponse(sessionInfo: sessionInfo))
    } catch let error as AccountsError {
      note(error, call, project)
      throw error
    }
  }

  private func note(_ error: AccountsError, _ call: Call, _ project: Project) {
    switch error {
    case .messageDeliveryMissing:
      metrics.count(.undelivered)
      call.logger.error(
        """
        a verification code was asked for, and the project has no webhook to send it by; set one \
        with `gatehouse phone-numbers set --webhook URL`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageQuotaExceeded:
      metrics.count(.limited)
      call.logger.warning(
        """
        text messages are at their limit, of the day or of a range of numbers; see \
        phone.messagesPerDay and phone.messagesPerRange in `gatehouse projects show`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageNotDelivered: metrics.count(.undelivered)
    case .tooManyAttempts: metrics.count(.limited)
    default: metrics.count(.refused)
    }
  }
}

/// Counts what became of requests for codes. Numbers and projects are no labels.
struct VerificationCodeMetrics: Sendable {
  enum Outcome: String, CaseIterable {
    case sent, limited, undelivered, refused
  }

  private let counters: [Outcome: Counter] = {
    var counters: [Outcome: Counter] = [:]
    for outcome in Outcome.allCases {
      counters[outcome] = Counter(
        label: "gatehouse_verification_codes_total", dimensions: [("outcome", outcome.rawValue)])
    }
    return counters
  }()

  func count(_ outcome: Outcome) { counters[outcome]?.increment() }
}

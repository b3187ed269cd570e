import GatehouseProtocol
import Logging
import Metrics

/// `accounts:sendVerificationCode`: sends a code to a phone number.
///
/// Reveals nothing about accounts: the response is the same whether or not an account has the
/// number. The parameters with which Google's clients show that they are apps aren't required: the
/// limits of `PhonePolicy` apply to all clients.
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
    // For a missing number too, Google's service and its emulator return INVALID_PHONE_NUMBER.
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
        a verification code was requested, but the project has no webhook to send it; set one \
        with `gatehouse phone-numbers set --webhook URL`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageQuotaExceeded:
      metrics.count(.limited)
      call.logger.warning(
        """
        the limit of text messages for a day or for a range of numbers is reached; see \
        phone.messagesPerDay and phone.messagesPerRange in `gatehouse projects show`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageNotDelivered: metrics.count(.undelivered)
    case .tooManyAttempts: metrics.count(.limited)
    default: metrics.count(.refused)
    }
  }
}

/// Counts the outcomes of requests for codes. Phone numbers and projects aren't labels.
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

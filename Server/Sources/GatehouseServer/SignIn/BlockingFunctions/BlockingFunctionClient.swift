package import Foundation
import GatehouseProtocol
package import Logging
import Metrics

/// Calls blocking functions.
package protocol BlockingFunctionCalls: Sendable {
  /// Asks a function, within the time that it may take and the limit of calls per project. Counts the
  /// result for the metrics, and logs a failure.
  func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome
}

/// For programs that call no functions: every call fails, as if the function couldn't be reached.
package struct NoBlockingFunctionCalls: BlockingFunctionCalls {
  package init() {}

  package func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome { .failed(.failure) }
}

/// Asks blocking functions over HTTP.
///
/// The transport limits the time, the size of the response and all calls together. One project has at most
/// `BlockingFunction.maximumCallsPerProject` calls in flight; a further question fails at once. No
/// question is repeated.
package struct BlockingFunctionClient: BlockingFunctionCalls {
  private let transport: any OutboundTransport
  private let codec: BlockingFunctionCodec
  private let logger: Logger
  private let count: @Sendable (BlockingFunction.Trigger, Outcome) -> Void
  private let shares: Shares<ProjectID>

  /// For the metrics.
  package enum Outcome: String, CaseIterable, Sendable {
    case allowed, refused, failed
  }

  /// - Parameters:
  ///   - transport: Must limit time, size and concurrent calls, and apply the outbound rule.
  ///   - count: Called once for each ``ask(_:_:in:now:)``.
  package init(
    transport: any OutboundTransport, codec: BlockingFunctionCodec, logger: Logger,
    callsPerProject: Int = BlockingFunction.maximumCallsPerProject,
    count: @escaping @Sendable (BlockingFunction.Trigger, Outcome) -> Void = { _, _ in }
  ) {
    self.transport = transport
    self.codec = codec
    self.logger = logger
    self.count = count
    shares = Shares(limit: callsPerProject)
  }

  package func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome {
    do throws(BlockingFunctionFault) {
      let answer = try await answer(of: function, to: question, in: project, now: now)
      if case .refused = answer.outcome {
        count(question.trigger, .refused)
      } else {
        count(question.trigger, .allowed)
      }
      if !answer.ignored.isEmpty {
        var metadata = metadata(of: function, question, project)
        metadata["members"] = "\(answer.ignored.joined(separator: ", "))"
        logger.warning(
          "members of a blocking function's response have no effect", metadata: metadata)
      }
      return answer.outcome
    } catch {
      count(question.trigger, .failed)
      var metadata = metadata(of: function, question, project)
      metadata["policy"] = "\(function.onFailure.rawValue)"
      metadata["reason"] = "\(error)"
      logger.error(
        """
        a blocking function failed; try it with `gatehouse blocking-functions test`
        """,
        metadata: metadata)
      return .failed(error.refusal)
    }
  }

  private func metadata(
    of function: BlockingFunction, _ question: BlockingQuestion, _ project: Project
  ) -> Logger.Metadata {
    [
      "project": "\(project.id)", "trigger": "\(question.trigger.rawValue)",
      // The URL's path may contain a secret of the receiver.
      "function": "\(OutboundURL(function.url)?.host ?? "malformed")",
    ]
  }

  /// One call, without log lines and metrics.
  package func answer(
    of function: BlockingFunction, to question: BlockingQuestion, in project: Project, now: Date
  ) async throws(BlockingFunctionFault) -> BlockingFunctionAnswer {
    guard let url = OutboundURL(function.url) else { throw .malformedURL }
    let request = try request(to: url, function, question, in: project, now: now)
    let response: OutboundResponse
    do {
      response = try await shares.run(for: project.id) { try await transport.send(request) }
    } catch let error as OutboundError {
      throw .notSent(error)
    } catch {
      throw .tooManyCalls
    }
    return try BlockingFunctionAnswer(response, to: question.trigger)
  }

  private func request(
    to url: OutboundURL, _ function: BlockingFunction, _ question: BlockingQuestion,
    in project: Project, now: Date
  ) throws(BlockingFunctionFault) -> OutboundRequest {
    let id = EventID.random().text
    let token: String
    do {
      token = try codec.token(of: question, id: id, to: function, in: project, now: now)
    } catch {
      throw .notSigned
    }
    var writer = JSONWriter(reservingCapacity: 2048)
    writer.object { body in
      body.object("data") { $0.member("jwt", token) }
    }
    var request = OutboundRequest(url)
    request.project = project.id
    request.content = OutboundRequest.Content(
      type: "application/json", bytes: Secret(writer.bytes),
      headers: WebhookSignature.headers(
        id: id, body: writer.bytes, secrets: function.secrets, now: now))
    return request
  }
}

/// Counts the outcomes of calls to blocking functions, by trigger.
package struct BlockingFunctionMetrics: Sendable {
  private let counters: [String: Counter]

  /// - Parameter outcomes: The names of the possible outcomes.
  package init(outcomes: [String]) {
    var counters: [String: Counter] = [:]
    for trigger in BlockingFunction.Trigger.allCases {
      for outcome in outcomes {
        counters[trigger.rawValue + outcome] = Metric.blockingFunctionCalls.counter(
          ("trigger", trigger.rawValue), ("outcome", outcome))
      }
    }
    self.counters = counters
  }

  package func count(_ trigger: BlockingFunction.Trigger, _ outcome: String) {
    counters[trigger.rawValue + outcome]?.increment()
  }
}

import Foundation
import GatehouseProtocol

/// Sends calls to the server, and learns the server's time from its responses.
struct ServerAPI: Sendable {
  var configuration: ClientConfiguration
  var languageCode: String?
  var transport: any Transport
  var clock: any ClientClock
  var time: ServerTime

  /// How many times a repeatable call is sent at most.
  static let attemptsMax = 4
  /// The pause between the first two attempts, in seconds. Each later pause is twice as long.
  static let firstPause: TimeInterval = 0.4

  /// Sends `call`. A repeatable call is sent again after a network failure that may be temporary.
  ///
  /// ``ClientConfiguration/requestTimeout`` limits all attempts together. For a repeatable call,
  /// ``ClientConfiguration/attemptTimeout`` limits each attempt.
  func send<Call: ServerCall>(_ call: Call) async throws(CallError) -> Call.Answer {
    let deadline = clock.now.addingTimeInterval(configuration.requestTimeout)
    var pause = Self.firstPause
    var attempt = 1
    var followsLostAnswer = false
    while true {
      do {
        return try await sendOnce(call, until: deadline, followsLostAnswer: followsLostAnswer)
      } catch {
        guard case .network(let fault) = error, fault.mayPass, call.isRepeatable,
          attempt < Self.attemptsMax, clock.now.addingTimeInterval(pause) < deadline
        else { throw error }
        if fault.mayHaveArrived { followsLostAnswer = true }
      }
      // A third of the pause is random, so that many devices that lost a server don't return at the
      // same moment.
      do { try await clock.sleep(for: pause * Double.random(in: 0.67...1)) } catch {
        throw .cancelled
      }
      pause *= 2
      attempt += 1
    }
  }

  private func sendOnce<Call: ServerCall>(
    _ call: Call, until deadline: Date, followsLostAnswer: Bool
  ) async throws(CallError) -> Call.Answer {
    let request = try request(call, until: deadline)
    let response: TransportResponse
    do {
      response = try await transport.send(request)
    } catch {
      switch error {
      case .network(let fault): throw .network(fault)
      case .cancelled: throw .cancelled
      }
    }
    if let date = response.headers["date"].flatMap(ServerTime.date(header:)) { time.learn(date) }
    guard (200...299).contains(response.status) else {
      let error = CallError(refusing: response)
      if followsLostAnswer, case .refused(let refusal, _) = error,
        let answer = call.answer(afterLoss: refusal)
      {
        return answer
      }
      throw error
    }
    do {
      let fields = WireFields(try JSONObject(parsing: [UInt8](response.body)))
      return try call.answer(try Call.Response(fields))
    } catch let error as WireError {
      throw .badAnswer("The response of \(call.path) has no valid \(error.field).")
    } catch {
      throw .badAnswer("The response of \(call.path) isn't a JSON object.")
    }
  }

  private func request(
    _ call: some ServerCall, until deadline: Date
  ) throws(CallError) -> TransportRequest {
    var headers = ["Accept": "application/json", "X-Client-Version": ClientVersion.text]
    if call.method == .post { headers["Content-Type"] = "application/json" }
    headers["X-Ios-Bundle-Identifier"] = configuration.bundleID
    headers["X-Firebase-Locale"] = languageCode
    let left = max(1, deadline.timeIntervalSince(clock.now))
    let limit = call.isRepeatable ? configuration.attemptTimeout : configuration.requestTimeout
    return TransportRequest(
      method: call.method, url: try url(call.path), headers: headers,
      body: call.method == .post ? Data(call.request.json()) : nil, timeout: min(limit, left))
  }

  private func url(_ path: String) throws(CallError) -> URL {
    let text =
      "\(configuration.serverText)/\(path)?key=\(PercentEncoding.encoded(configuration.apiKey))"
    guard let url = URL(string: text) else {
      throw .network(NetworkFault(.other, detail: "The server's URL can't be used."))
    }
    return url
  }
}

extension ClientConfiguration {
  /// The server's URL without a slash at its end.
  var serverText: String {
    var text = serverURL.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}

extension NetworkFault {
  /// Whether the failure may be temporary, so that the same request may succeed in a moment.
  fileprivate var mayPass: Bool {
    switch kind {
    case .lost, .cannotConnect, .serverUnavailable, .timedOut: true
    case .offline, .secureConnectionFailed, .other: false
    }
  }

  /// Whether the server may have carried out the request.
  fileprivate var mayHaveArrived: Bool {
    switch kind {
    case .lost, .timedOut, .serverUnavailable, .other: true
    case .offline, .cannotConnect, .secureConnectionFailed: false
    }
  }
}

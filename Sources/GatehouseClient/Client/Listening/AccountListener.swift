import Foundation
import GatehouseProtocol

/// Listens to the events of one signed-in user's account.
///
/// An event is only a hint. It makes the client ask the server with the user's own tokens, and the response
/// decides: a forged or unknown event signs no user out.
struct AccountListener: Sendable {
  let user: SignedInUser
  let transport: any StreamingTransport

  private static let path = "v1/accounts:watch"
  /// The longest body of a refusal that is read.
  private static let maximumRefusalBytes = 16 * 1024
  /// How many requests the events of a stream may cause in `questionTime`.
  private static let questionsAtOnce = 5
  private static let questionTime: TimeInterval = 5

  private var core: ClientCore { user.core }

  /// Returns when the task is cancelled or the session has ended.
  func run() async {
    var pace = ListeningPace()
    var lastEventID: String?
    while !Task.isCancelled, core.isCurrent(user) {
      let outcome = await listenOnce(&lastEventID)
      guard core.isCurrent(user) else { return }
      let pause = pace.pause(after: outcome, chance: .random(in: 0...1))
      do { try await core.clock.sleep(for: pause) } catch { return }
    }
  }

  /// - Parameter lastEventID: Nil before the first stream.
  private func listenOnce(_ lastEventID: inout String?) async -> ListeningPace.Outcome {
    let stream: TransportStream
    do throws(ClientError) {
      stream = try await open(after: lastEventID ?? "")
    } catch {
      return .failed
    }
    guard stream.status == 200 else { return await outcome(ofRefusal: stream) }
    guard stream.headers["content-type"]?.hasPrefix("text/event-stream") == true else {
      return .notOffered
    }
    let start = Uptime.seconds
    var reader = Reader(lastEventID: lastEventID)
    defer { if reader.isReady { lastEventID = reader.parser.lastEventID } }
    do {
      for try await piece in stream.pieces {
        for question in try reader.questions(in: piece) { await ask(question, &reader) }
        if reader.isReplaced { return .replaced }
        guard !Task.isCancelled, core.isCurrent(user) else { break }
      }
    } catch {}
    let lived = Uptime.seconds - start
    return .ended(
      after: lived, retry: reader.parser.retryMilliseconds.map { TimeInterval($0) / 1000 })
  }

  private func open(after lastEventID: String) async throws(ClientError) -> TransportStream {
    let token = try await user.idToken()
    let api = core.api
    let text =
      "\(api.configuration.serverText)/\(Self.path)"
      + "?key=\(PercentEncoding.encoded(api.configuration.apiKey))"
    guard let url = URL(string: text) else {
      throw .network(NetworkFault(.other, detail: "The server's URL can't be used."))
    }
    var headers = [
      "Accept": "text/event-stream", "Authorization": "Bearer \(token.token)",
      "X-Client-Version": ClientVersion.text,
    ]
    headers["X-Ios-Bundle-Identifier"] = api.configuration.bundleID
    if !lastEventID.isEmpty { headers["Last-Event-ID"] = lastEventID }
    do {
      return try await transport.stream(
        TransportRequest(
          method: .get, url: url, headers: headers, body: nil,
          timeout: api.configuration.attemptTimeout))
    } catch {
      switch error {
      case .network(let fault): throw .network(fault)
      case .cancelled: throw .cancelled
      }
    }
  }

  // MARK: What the server says

  private func outcome(ofRefusal stream: TransportStream) async -> ListeningPace.Outcome {
    if stream.status >= 500 || stream.status == 429 {
      let seconds = stream.headers["retry-after"].flatMap { Int($0) }
      return .refused(retryAfter: seconds.map { TimeInterval(max(0, $0)) })
    }
    var body: [UInt8] = []
    do {
      for try await piece in stream.pieces {
        guard piece.count <= Self.maximumRefusalBytes - body.count else { return .notOffered }
        body += piece
      }
    } catch { return .failed }
    guard let object = try? JSONObject(parsing: body),
      let refusal = try? ErrorBody(WireFields(object)),
      SessionEnd(refusalCode: ErrorCode.text(of: refusal.message)) != nil
    else { return .notOffered }
    await refresh()
    return .failed
  }

  private func ask(_ question: Question, _ reader: inout Reader) async {
    // A few requests at once don't wait, so that a changed profile doesn't delay a sign-out.
    if reader.askedAt.count == Self.questionsAtOnce {
      let pause = Self.questionTime - (Uptime.seconds - reader.askedAt.removeFirst())
      if pause > 0 { try? await core.clock.sleep(for: pause) }
    }
    reader.askedAt.append(Uptime.seconds)
    switch question {
    case .refresh: await refresh()
    case .reload:
      await user.sessionIsSettled()
      try? await user.reload()
    }
  }

  /// Refreshes the session. If it has ended, this signs the user out with the server's reason.
  private func refresh() async {
    // The event may be about a change of this client whose response hasn't arrived, such as a deletion
    // or a new password.
    await user.sessionIsSettled()
    guard core.isCurrent(user) else { return }
    _ = try? await user.idToken(forcingRefresh: true)
  }
}

extension AccountListener {
  /// What the client asks the server for.
  enum Question: Hashable, Sendable {
    /// New tokens: whether the session is alive, and the current claims.
    case refresh
    /// The profile.
    case reload

    /// Nil for an event that changes nothing here.
    init?(_ type: String) {
      switch type {
      case WatchEventType.signedOut.rawValue, "account.deleted", "account.disabled",
        "account.tokens_revoked", "account.claims_changed":
        self = .refresh
      case WatchEventType.reload.rawValue, "account.profile_changed", "account.email_changed",
        "account.email_verified", "account.linked", "account.unlinked",
        "account.password_changed":
        self = .reload
      default: return nil
      }
    }
  }

  /// Reads one stream.
  struct Reader: Sendable {
    var parser: EventStreamParser
    /// Whether there was an earlier stream, but no event is known from which this one could resume.
    private let mayHaveMissed: Bool
    private(set) var isReady = false
    private(set) var isReplaced = false
    /// The times of the last questions, oldest first, by ``Uptime``.
    var askedAt: [TimeInterval] = []

    /// - Parameter lastEventID: Nil for the first stream.
    init(lastEventID: String?) {
      parser = EventStreamParser(lastEventID: lastEventID ?? "")
      mayHaveMissed = lastEventID?.isEmpty == true
    }

    /// - Returns: Each question once, however many events lead to it.
    mutating func questions(in piece: Data) throws(EventStreamParser.TooLong) -> [Question] {
      var questions: [Question] = []
      for event in try parser.parse(piece) {
        var question = Question(event.type)
        if event.type.utf8.elementsEqual(WatchEventType.ready.rawValue.utf8) {
          if !isReady, mayHaveMissed { question = .reload }
          isReady = true
        }
        if event.type.utf8.elementsEqual(WatchEventType.replaced.rawValue.utf8) {
          isReplaced = true
        }
        if let question, !questions.contains(question) { questions.append(question) }
      }
      return questions
    }
  }
}

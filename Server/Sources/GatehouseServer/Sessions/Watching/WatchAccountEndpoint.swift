import Foundation
import GatehouseProtocol
import HTTPTypes
import Synchronization

/// `accounts:watch`: a stream of server-sent events about the caller's account (WHATWG HTML §9.2). An
/// extension.
///
/// Apps send the ID token as the bearer token of a `GET`, web pages as `idToken` of a `POST`. The stream
/// ends when the session ends or the ID token has expired, if it hasn't ended before (`Watcher.End`).
struct WatchAccount: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      Route.user(.get, "v1/accounts:watch", "watch", ofBearer),
      .client(.post, "v1/accounts:watch", "watch", ofBody),
    ].map(\.streaming)
  }

  /// How long a client waits before it connects again after its stream ended: chosen at random, so
  /// that not all clients connect at once after a restart.
  private static let retryMilliseconds = 1000...5000

  func ofBearer(_ call: Call) async throws -> Answer {
    guard
      let idToken = CallerIdentification.bearer(call.head.headerFields[.authorization])
    else { throw APIError.refused(.missingIDToken) }
    let last = call.head.headerFields[.lastEventID] ?? call.parameters.string("lastEventId")
    return try await watch(idToken, after: last, call)
  }

  func ofBody(_ call: Call) async throws -> Answer {
    let request = try call.request(WatchRequest.self)
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    return try await watch(idToken, after: request.lastEventID, call)
  }

  private func watch(_ idToken: String, after last: String?, _ call: Call) async throws -> Answer {
    guard services.watchers.isOffered else { throw APIError.notFound }
    let session = try services.accounts.watchingSession(
      ofIDToken: idToken, in: try call.requireProject(), now: call.now)
    // Registers before it reads the session and the log, so that no event between the two is
    // missed.
    let place = try services.watchers.register(session, from: call.client)
    let last = last.flatMap { $0.isEmpty ? nil : $0 }
    let beginning = try await services.accounts.beginWatching(session, after: last)
    services.watchers.begin(place.watcher, after: beginning.latest?.position ?? 0)
    let first = Mutex<[UInt8]?>(Self.opening(beginning))
    let stream = AnswerStream {
      if let first = first.withLock({ $0.take() }) { return first }
      guard let news = await place.watcher.next() else {
        place.leave()
        return nil
      }
      return news.flatMap(Self.bytes)
    } clientLeft: { [weak watcher = place.watcher] in
      watcher?.finish(.client)
    }
    return Answer(stream: stream)
  }

  private static func opening(_ beginning: WatchBeginning) -> [UInt8] {
    let missed: [UInt8] =
      switch beginning.missed {
      case .events(let links): links.flatMap { bytes(.event($0.event)) }
      case .unknown: ServerSentEvent(type: WatchEventType.reload.rawValue).bytes
      }
    // After the missed events: a client that loses the connection before `ready` requests them
    // again.
    let ready = ServerSentEvent(
      id: beginning.latest?.event.id.text ?? "", type: WatchEventType.ready.rawValue,
      retryMilliseconds: .random(in: retryMilliseconds))
    return missed + ready.bytes
  }

  private static func bytes(_ news: Watcher.News) -> [UInt8] {
    switch news {
    case .heartbeat: ServerSentEvent.comment
    case .event(let event):
      ServerSentEvent(id: event.id.text, type: event.kind.rawValue, data: data(of: event)).bytes
    case .signedOut(let end):
      ServerSentEvent(
        type: WatchEventType.signedOut.rawValue, data: "{\"reason\":\"\(end.rawValue)\"}"
      ).bytes
    case .replaced: ServerSentEvent(type: WatchEventType.replaced.rawValue).bytes
    }
  }

  /// The event as a webhook receives it, without the members that the client knows already.
  private static func data(of event: Event) -> String {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.object { data in
      data.member("type", event.kind.rawValue)
      data.member("timestamp", event.at.withMilliseconds)
      data.object("details") { details in
        for (name, value) in event.details.sorted(by: { $0.key < $1.key }) {
          details.member(name, value)
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension HTTPField.Name {
  /// The literal is a valid token (RFC 9110 §5.6.2), so the fallback is never used.
  fileprivate static let lastEventID = HTTPField.Name("last-event-id") ?? .authorization
}

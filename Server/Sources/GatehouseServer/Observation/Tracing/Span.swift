import Foundation
import Synchronization

/// A piece of work in a trace: a request, a transaction, a call of another server.
package final class Span: Sendable {
  package enum Kind: Int, Sendable {
    // The numbers are those of OTLP.
    case `internal` = 1
    case server, client
  }

  /// The present work's span; nil if nothing is traced.
  @TaskLocal package static var current: Span?

  package let place: TraceParent
  private let parent: String?
  private let name: String
  private let kind: Kind
  private let tracer: Tracer
  private let startedAt = Date()
  private let start = ContinuousClock.now

  private struct State {
    var attributes: [String: AttributeValue]
    var isFailed = false
  }

  enum AttributeValue: Sendable {
    case text(String)
    case integer(Int)
  }

  private let state: Mutex<State>

  init(
    _ name: String, _ kind: Kind, at place: TraceParent, parent: String?, tracer: Tracer,
    _ attributes: [String: String]
  ) {
    self.name = name
    self.kind = kind
    self.place = place
    self.parent = parent
    self.tracer = tracer
    state = Mutex(State(attributes: attributes.mapValues { .text($0) }))
  }

  package func set(_ attribute: String, _ value: String) {
    state.withLock { $0.attributes[attribute] = .text(value) }
  }

  package func set(_ attribute: String, _ value: Int) {
    state.withLock { $0.attributes[attribute] = .integer(value) }
  }

  /// - Parameter type: The kind of the error, from a limited set. Not its text, which may quote a request.
  package func fail(_ type: String) {
    state.withLock { state in
      state.isFailed = true
      state.attributes["error.type"] = .text(type)
    }
  }

  /// Runs `body` in a span below the present one. Without a present span, only runs it.
  package static func within<Result>(
    _ name: String, of kind: Kind = .internal, _ attributes: [String: String],
    _ body: () async throws -> Result
  ) async throws -> Result {
    guard let current else { return try await body() }
    let span = Span(
      name, kind, at: current.place.child(), parent: current.place.span, tracer: current.tracer,
      attributes)
    return try await span.run(body)
  }

  /// Runs `body` with this as the present span, and ends the span.
  func run<Result>(_ body: () async throws -> Result) async throws -> Result {
    defer { end() }
    do {
      return try await Self.$current.withValue(self) { try await body() }
    } catch {
      fail("\(type(of: error))")
      throw error
    }
  }

  private func end() {
    guard place.isSampled else { return }
    let state = state.withLock { $0 }
    tracer.keep(
      FinishedSpan(
        place: place, parent: parent, name: name, kind: kind, startedAt: startedAt,
        duration: ContinuousClock.now - start, attributes: state.attributes,
        isFailed: state.isFailed))
  }
}

struct FinishedSpan: Sendable {
  let place: TraceParent
  let parent: String?
  let name: String
  let kind: Span.Kind
  let startedAt: Date
  let duration: Duration
  let attributes: [String: Span.AttributeValue]
  let isFailed: Bool
}

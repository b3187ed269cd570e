import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Synchronization
import Testing

/// Blocking functions in memory. They allow everything until a test says otherwise.
final class FakeFunctions: BlockingFunctionCalls {
  typealias Answer = @Sendable (BlockingQuestion) async throws -> BlockingOutcome

  private let answer = Mutex<Answer>({ _ in .allowed(BlockingChanges()) })
  private let questions = Mutex<[BlockingQuestion]>([])

  var asked: [BlockingQuestion] { questions.withLock { $0 } }
  /// The triggers, in the order of the questions.
  var triggers: [BlockingFunction.Trigger] { asked.map(\.trigger) }

  func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  /// Every answer changes the account like this.
  func change(_ change: @escaping @Sendable (inout BlockingChanges) -> Void) {
    answer { _ in
      var changes = BlockingChanges()
      change(&changes)
      return .allowed(changes)
    }
  }

  func refuse(_ trigger: BlockingFunction.Trigger? = nil, _ message: String = "no") {
    answer { question in
      trigger == nil || question.trigger == trigger
        ? .refused(BlockingRefusal(message: message, status: "PERMISSION_DENIED"))
        : .allowed(BlockingChanges())
    }
  }

  func fail() { answer { _ in .failed(.failure) } }

  func ask(
    _ function: BlockingFunction, _ question: BlockingQuestion, in project: Project, now: Date
  ) async -> BlockingOutcome {
    questions.withLock { $0.append(question) }
    let answer = answer.withLock { $0 }
    return (try? await answer(question)) ?? .failed(.failure)
  }
}

extension World {
  /// The project with blocking functions.
  func withFunctions(
    _ triggers: [BlockingFunction.Trigger] = BlockingFunction.Trigger.allCases,
    onFailure policy: BlockingFunction.FailurePolicy = .refuse,
    _ change: (inout ProjectPolicies) -> Void = { _ in }
  ) -> Project {
    var project = project(change)
    for trigger in triggers {
      _ = project.blockingFunctions.set(
        trigger, url: "https://functions.example.com/\(trigger.rawValue)", onFailure: policy,
        now: World.start)
    }
    return project
  }
}

/// What the tests' functions refuse with.
let refusedByFunction = AccountsError.blockedByFunction(
  BlockingRefusal(message: "no", status: "PERMISSION_DENIED"))

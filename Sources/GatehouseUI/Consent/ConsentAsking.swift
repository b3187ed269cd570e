import GatehouseClient
import Observation

/// Asks a user for their consent on the page that they are on, and waits for the answer.
@MainActor @Observable
final class ConsentAsking {
  /// What is asked. Nil while nothing is.
  private(set) var text: ConsentText?
  @ObservationIgnored private var answer: SheetAnswer<Bool>?

  /// For the flows of an `AccountManager`.
  ///
  /// - Parameter names: What the app calls its providers.
  func prompt(names: [Provider: String], in language: TextLanguage) -> ConsentPrompt {
    { [weak self] joins in
      await self?.ask(ConsentText(joins: joins, names: names, in: language))
    }
  }

  /// - Returns: Nil if the user doesn't agree, the page goes away, or the task is cancelled.
  func ask(_ text: ConsentText) async -> Consent? {
    // One flow at a time asks; a second prompt would replace a question that is being read.
    guard answer == nil else { return nil }
    let answer = SheetAnswer<Bool>()
    self.answer = answer
    self.text = text
    defer {
      self.text = nil
      self.answer = nil
    }
    let agrees = try? await answer.value()
    return agrees == true ? text.consent : nil
  }

  func agree() { end(true) }
  func decline() { end(false) }

  /// Nothing is asked from now on, before the flow goes on: an alert whose question is still there would
  /// be presented again.
  private func end(_ agrees: Bool) {
    text = nil
    answer?.give(.success(agrees))
  }
}

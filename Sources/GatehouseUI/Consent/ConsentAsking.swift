import GatehouseClient

/// Asks a user for consent on the page that they see, and waits for the response.
@MainActor final class ConsentAsking {
  /// The question. Nil while none is asked.
  private(set) var text: ConsentText? { willSet { willChange() } }
  /// Called before the question changes.
  var willChange: @MainActor () -> Void = {}
  private var answer: SheetAnswer<Bool>?

  /// The prompt for the flows of an `AccountManager`.
  ///
  /// - Parameter names: The app's names of its providers.
  func prompt(names: [Provider: String], in language: TextLanguage) -> ConsentPrompt {
    { [weak self] joins in
      await self?.ask(ConsentText(joins: joins, names: names, in: language))
    }
  }

  /// - Returns: Nil if the user doesn't agree, the page goes away, or the task is cancelled.
  func ask(_ text: ConsentText) async -> Consent? {
    // Only one flow at a time asks. A second prompt would replace a question that the user is
    // reading.
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

  /// Removes the question before the flow continues: an alert whose question is still there would
  /// be presented again.
  private func end(_ agrees: Bool) {
    text = nil
    answer?.give(.success(agrees))
  }
}

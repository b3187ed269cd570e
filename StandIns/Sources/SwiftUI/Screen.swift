public import Foundation

/// What a view shows, for a test that reads it, enters text and presses buttons. Nothing is laid
/// out.
///
/// It doesn't change after it was drawn: ``SimulatedWindow/screen`` draws a new one.
@MainActor public final class Screen {
  /// The button or field doesn't exist, or is disabled.
  public struct NotThere: Error, CustomStringConvertible {
    public let description: String
  }

  struct ShownButton {
    var title: String
    var isEnabled: Bool
    var action: @MainActor () -> Void
  }

  public internal(set) var texts: [String] = []
  /// The titles of the presented alerts, dialogs and sheets (a sheet has no title).
  public internal(set) var dialogs: [String] = []
  public internal(set) var links: [(title: String, destination: URL)] = []
  var shownButtons: [ShownButton] = []
  var fields: [(title: String, text: Binding<String>)] = []
  public internal(set) var tasks: [@MainActor @Sendable () async -> Void] = []
  public internal(set) var disappearances: [@MainActor () -> Void] = []

  var isEnabled = true
  /// Closes the alert or dialog of a button, in addition to its action.
  var closing: (@MainActor () -> Void)?

  /// The state of the former views, by their place.
  var kept: [String: AnyObject] = [:]
  private var place = ""
  private var placesTaken: [String: Int] = [:]

  public init(_ view: some View) { view.draw(on: self) }
  init(_ view: some View, kept: [String: AnyObject]) {
    self.kept = kept
    view.draw(on: self)
  }

  /// Draws the contents of `view`, with the state of its place.
  func within(_ view: some View, _ draw: () -> Void) {
    let outer = place
    let name = "\(outer)/\(type(of: view))"
    let number = placesTaken[name, default: 0]
    placesTaken[name] = number + 1
    place = "\(name)#\(number)"
    for child in Mirror(reflecting: view).children {
      if let state = child.value as? any Kept {
        state.keep(in: &kept, at: "\(place).\(child.label ?? "")")
      }
    }
    draw()
    place = outer
  }

  /// The titles of the buttons that can be pressed.
  public var buttons: [String] { shownButtons.filter(\.isEnabled).map(\.title) }

  public func press(_ title: String) throws {
    guard let button = shownButtons.last(where: { $0.title == title }), button.isEnabled else {
      throw NotThere(description: "“\(title)” isn't among \(buttons).")
    }
    button.action()
  }

  public func enter(_ text: String, in title: String) throws {
    guard let field = fields.last(where: { $0.title == title }) else {
      throw NotThere(description: "There is no field “\(title)”.")
    }
    field.text.wrappedValue = text
  }

  public func add(button title: String, action: @escaping @MainActor () -> Void) {
    let hide = closing
    // SwiftUI may hide a dialog before or after its button's action. Before is the harder case for
    // an app.
    let press: @MainActor () -> Void = {
      if let hide { hide() }
      action()
    }
    shownButtons.append(ShownButton(title: title, isEnabled: isEnabled, action: press))
  }

  func present(
    _ title: String, _ isPresented: Binding<Bool>, closesByButtons: Bool = true,
    _ draw: () -> Void
  ) {
    guard isPresented.wrappedValue else { return }
    dialogs.append(title)
    let (outer, wasEnabled) = (closing, isEnabled)
    closing = nil
    if closesByButtons { closing = { isPresented.wrappedValue = false } }
    isEnabled = true
    draw()
    (closing, isEnabled) = (outer, wasEnabled)
  }
}

/// A window that shows one view, and keeps the state of its views between drawings.
@MainActor public final class SimulatedWindow<Content: View> {
  private let content: Content
  private var kept: [String: AnyObject] = [:]

  public init(_ content: Content) { self.content = content }

  /// The present contents.
  public var screen: Screen {
    let screen = Screen(content, kept: kept)
    kept = screen.kept
    return screen
  }
}

/// The person who uses a simulated device, and what they do when a sheet opens.
public struct SimulatedPerson: Sendable, Hashable {
  public enum Decision: Sendable, Hashable {
    case agrees
    case cancels
    /// Leaves the sheet open until the app's task is cancelled.
    case waits
  }

  /// The `id` of one of the simulator's persons.
  public var id: String
  public var decision: Decision
  /// Whether the person hides their email address in Apple's first sheet. The app then gets a relay
  /// address.
  public var hidesEmail: Bool
  /// The password that the device has saved for the app.
  public var savedPassword: SavedPassword?
  /// Whether the person chooses the saved password in a sheet that also offers Apple's account.
  public var prefersPassword: Bool

  public struct SavedPassword: Sendable, Hashable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  public init(
    _ id: String, decision: Decision = .agrees, hidesEmail: Bool = false,
    savedPassword: SavedPassword? = nil, prefersPassword: Bool = false
  ) {
    self.id = id
    self.decision = decision
    self.hidesEmail = hidesEmail
    self.savedPassword = savedPassword
    self.prefersPassword = prefersPassword
  }

  /// - Throws: ``DeviceFault/cancelled`` unless the person agrees.
  func decide() async throws(DeviceFault) {
    switch decision {
    case .agrees: break
    case .cancels: throw .cancelled
    case .waits: try await SheetAnswer<Void>().value()
    }
  }
}

extension SimulatedPerson.SavedPassword: CustomStringConvertible, CustomReflectable {
  public var description: String { "SavedPassword" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

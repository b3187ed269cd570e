/// The state of one kind of provider besides consents, codes and tokens: a type for each kind,
/// which is empty at the start and after a reset.
protocol ProviderState: Sendable {
  init(limits: SimulatorLimits)
}

extension SimulatorState {
  subscript<State: ProviderState>(type: State.Type) -> State {
    get { ofProviders[ObjectIdentifier(type)] as? State ?? State(limits: limits) }
    set { ofProviders[ObjectIdentifier(type)] = newValue }
  }
}

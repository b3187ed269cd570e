/// What a kind of provider keeps beyond consents, codes and tokens: a type of its own, which begins
/// empty and is empty again after a reset.
protocol ProviderState: Sendable {
  init(limits: Simulator.Limits)
}

extension SimulatorState {
  subscript<State: ProviderState>(type: State.Type) -> State {
    get { ofProviders[ObjectIdentifier(type)] as? State ?? State(limits: limits) }
    set { ofProviders[ObjectIdentifier(type)] = newValue }
  }
}

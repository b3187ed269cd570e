import GatehouseProtocol

/// Listens to the server's stream of events while an observation is kept and a user is signed in.
extension ClientCore {
  func listenForChanges() -> SessionObservation {
    let isCounted = Locked(true)
    let isFirst = shared.withLock { shared in
      shared.listenerCount += 1
      return shared.listenerCount == 1
    }
    if isFirst { startListening() }
    return SessionObservation { [weak self] in
      let isMine = isCounted.withLock { isCounted in
        defer { isCounted = false }
        return isCounted
      }
      if isMine { self?.stopListening() }
    }
  }

  private func startListening() {
    guard let transport = transport as? any StreamingTransport else { return }
    let observation = observe { [weak self] change in
      guard let self, change.kinds.contains(.session) else { return }
      guard let user = change.user else { return background.listen(nil) }
      background.listen {
        await AccountListener(user: user, transport: transport).run()
      }
    }
    let isStillWanted = shared.withLock { shared in
      guard shared.listenerCount > 0, shared.listenerObservation == nil else { return false }
      shared.listenerObservation = observation
      return true
    }
    if !isStillWanted { observation.cancel() }
  }

  private func stopListening() {
    let ended: SessionObservation? = shared.withLock { shared in
      shared.listenerCount -= 1
      guard shared.listenerCount == 0 else { return nil }
      return shared.listenerObservation.take()
    }
    guard let ended else { return }
    ended.cancel()
    background.listen(nil)
  }
}

import GatehouseProtocol

/// Forwards a provider's notification to the project's own receiver, in the provider's form. The
/// receiver verifies the provider's signature. Only the status of its response is used.
struct ForwardExecutor: Sendable {
  let store: any Store
  let transport: any OutboundTransport

  func execute(_ task: ForwardTask, _ entry: OutboxEntry) async throws -> OutboxResult {
    let project = entry.project
    let found = try await store.read { try $0.provider(task.provider, in: project) }
    guard let address = found?.notificationForwardURL else {
      return .failed("the provider's notifications aren't forwarded any more")
    }
    guard let url = OutboundURL(address) else { return .failed("the receiver's URL is malformed") }
    let content = (IdentityProviders.kind(of: task.provider)?.notifications ?? .token)
      .content(task.jws)
    do throws(OutboundError) {
      let status = try await transport.send(
        OutboundRequest(message: content, to: url, of: project)
      ).status
      return (200..<300).contains(status)
        ? .done : .retry("the receiver responded with status \(status)")
    } catch {
      return .retry("\(error)")
    }
  }
}

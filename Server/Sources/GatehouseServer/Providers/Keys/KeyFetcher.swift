import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// Fetches keys, through discovery if the source says so. It has no state.
struct KeyFetcher: Sendable {
  /// From five minutes to a day; an hour if the response doesn't say how long it may be cached.
  static let lifetime = KeyLifetime(
    minimumSeconds: 5 * 60, maximumSeconds: 24 * 60 * 60, defaultSeconds: 60 * 60)

  let transport: any OutboundTransport
  /// For development; see ``OutboundRule/loopback``.
  let allowsPlainHTTP: Bool

  /// The key set may have no usable key: see `RemoteKeySet.lack`.
  ///
  /// - Throws: ``RemoteKeyFailure``, with ``OutboundError/cancelled`` if the task was cancelled.
  func fetch(
    _ fetch: RemoteKeyState.Fetch, from source: KeySource, now: Date
  ) async throws(RemoteKeyFailure) -> RemoteKeySet {
    switch (source.origin, fetch) {
    case (.keys(let url), _):
      return try await keys(at: url, metadata: nil, of: source.project, now: now)
    case (.discovery, .keys(let metadata?)):
      return try await keys(
        at: metadata.keys, metadata: metadata, of: source.project, now: now)
    case (.discovery(let discovery), _):
      let metadata = try await metadata(discovery, of: source.project)
      return try await keys(
        at: metadata.keys, metadata: metadata, of: source.project, now: now)
    }
  }

  func metadata(
    _ discovery: Discovery, of project: ProjectID?
  ) async throws(RemoteKeyFailure) -> ProviderMetadata {
    guard let url = discovery.url, url.isSecure || allowsPlainHTTP else {
      throw discovery.configuredURL == nil ? .issuerURL : .discoveryURL
    }
    let response = try await get(url, .discovery, of: project)
    return try ProviderMetadata(
      parsing: response.body, issuer: discovery.issuer, allowsPlainHTTP: allowsPlainHTTP)
  }

  private func keys(
    at url: OutboundURL, metadata: ProviderMetadata?, of project: ProjectID?, now: Date
  ) async throws(RemoteKeyFailure) -> RemoteKeySet {
    let response = try await get(url, .keys, of: project)
    let keys: KeySet
    do throws(KeySetError) {
      keys = try KeySet(jwks: response.body)
    } catch .noKeysMember {
      // `{}`, from a provider that signs with the clients' secrets only.
      keys = KeySet([])
    } catch {
      throw .malformed(.keys)
    }
    return RemoteKeySet(
      metadata: metadata, keys: keys, fetchedAt: now,
      lifetimeSeconds: Self.lifetime.seconds(
        cacheControl: response.cacheControl, age: response.age))
  }

  private func get(
    _ url: OutboundURL, _ document: RemoteKeyFailure.Document, of project: ProjectID?
  ) async throws(RemoteKeyFailure) -> OutboundResponse {
    var request = OutboundRequest(url)
    request.project = project
    request.isForKeys = true
    let response: OutboundResponse
    do throws(OutboundError) {
      response = try await transport.send(request)
    } catch {
      throw .outbound(error)
    }
    guard response.status == 200 else { throw .status(response.status, document) }
    return response
  }
}

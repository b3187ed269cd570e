import Foundation
import GatehouseServer
import GatehouseModel
import GatehouseTokens

/// A key set from a file or a URL that the person at the terminal chose.
enum KeySetSource {
  static func load(_ source: String) async throws -> KeySet {
    let isURL = source.hasPrefix("https://") || source.hasPrefix("http://")
    let bytes = isURL ? try await fetch(source) : try read(source)
    do {
      return try KeySet(jwks: bytes)
    } catch {
      throw CommandFailure(
        "--jwks \(source): not a key set (\(error.rawValue)), which is {\"keys\": […]}. An "
          + "issuer's discovery document gives its URL as jwks_uri")
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CommandFailure("--jwks \(path): can't be read; does the file exist?")
    }
  }

  private static func fetch(_ text: String) async throws -> [UInt8] {
    guard let url = OutboundURL(text),
      url.isSecure || url.namesLoopback
    else { throw CommandFailure("--jwks \(text): must be an https URL (http only for loopback)") }
    // The person at the terminal may connect to everything that this machine can reach.
    let client = OutboundClient(
      rule: OutboundRule(privateHosts: [url.host], allowsLoopback: true), clock: { Date() })
    let result: Result<OutboundResponse, OutboundError>
    do throws(OutboundError) {
      result = .success(try await client.send(OutboundRequest(url)))
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let response) where response.status == 200: return response.body
    case .success(let response):
      throw CommandFailure("--jwks \(text): the server responded with status \(response.status)")
    case .failure(let error): throw CommandFailure("--jwks \(text): \(error)")
    }
  }
}

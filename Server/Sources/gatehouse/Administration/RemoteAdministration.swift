import AsyncHTTPClient
import Foundation
import GatehouseProtocol
import GatehouseServer
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix

/// A server that is administered over HTTP, with an administrator's key.
struct RemoteAdministration: AdministrationTransport {
  private let baseURL: String
  private let key: Secret<String>
  private let http: HTTPClient

  /// Long enough for a request that deletes or exports much.
  private static let timeout = TimeAmount.minutes(10)

  /// Passes the server to `body`.
  ///
  /// - Throws: ``CommandFailure`` for a URL over which a key must not be sent, and the errors of `body`.
  static func with<Result>(
    _ url: String, key: Secret<String>, _ authorities: PrivateAuthorities,
    _ body: (RemoteAdministration) async throws -> Result
  ) async throws -> Result {
    let baseURL = try checked(url)
    var configuration = HTTPClient.Configuration()
    // A redirect could send the key to another server.
    configuration.redirectConfiguration = .disallow
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.trust(authorities)
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      let result = try await body(RemoteAdministration(baseURL: baseURL, key: key, http: http))
      try? await http.shutdown()
      return result
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  /// Without a slash at the end. Plain http only to this machine: the key would be readable on the way.
  private static func checked(_ url: String) throws -> String {
    guard let parts = URLComponents(string: url), let host = parts.host, parts.user == nil,
      parts.query == nil, parts.fragment == nil
    else { throw CommandFailure("--server “\(url)” is not a URL such as https://auth.example.com") }
    let isLocal = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    guard parts.scheme == "https" || parts.scheme == "http" && isLocal else {
      throw CommandFailure("--server \(url): a key is sent only over https, or to this machine")
    }
    return url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  func send(
    _ method: String, _ target: String, body: [UInt8]
  ) async throws -> (status: Int, body: [UInt8]) {
    var request = HTTPClientRequest(url: baseURL + target)
    request.method = HTTPMethod(rawValue: method)
    request.headers.add(name: "authorization", value: "Bearer \(key.reveal())")
    if !body.isEmpty {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(body)
    }
    do {
      let response = try await http.execute(request, timeout: Self.timeout)
      let bytes = Array(try await response.body.collect(upTo: 64 << 20).readableBytesView)
      return (Int(response.status.code), bytes)
    } catch {
      throw Unreachable(description: "\(baseURL) can't be reached: \(Self.reason(of: error))")
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case is NIOConnectionError, is IOError: return "nothing answers there"
    case let error as HTTPClientError where error == .connectTimeout: return "nothing answers there"
    default: break
    }
    let text = "\(error)"
    // BoringSSL's name for it; the library gives it in no other form.
    guard text.contains("CERTIFICATE_VERIFY_FAILED") else { return text }
    return
      "its certificate is of an authority that this machine doesn't trust. If it is your own, name a file with "
      + "the authority's certificate, or with the self-signed one, in --server-ca-file"
  }

  struct Unreachable: Error, CustomStringConvertible {
    let description: String
  }
}

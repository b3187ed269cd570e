import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request of the device, and its response.
public struct SimulatorCall: Sendable {
  public var status: Int
  public var body: Data

  /// The device has no network, or no server responds.
  public struct Unreachable: Error {
    public var description: String
  }

  /// The number of requests so far. Data that is stored on the device needs none.
  public static var count: Int { made.withLock { $0 } }
  private static let made = Mutex(0)

  public static func get(_ path: String) async throws -> SimulatorCall {
    try await send(path, body: nil, type: nil)
  }

  public static func post(_ path: String, json: some Encodable) async throws -> SimulatorCall {
    try await send(path, body: try JSONEncoder().encode(json), type: "application/json")
  }

  public static func post(_ path: String, form: [String: String]) async throws -> SimulatorCall {
    let pairs = form.map { "\(escape($0))=\(escape($1))" }
    return try await send(
      path, body: Data(pairs.joined(separator: "&").utf8),
      type: "application/x-www-form-urlencoded")
  }

  public func decode<Answer: Decodable>(_ type: Answer.Type) throws -> Answer {
    try JSONDecoder().decode(type, from: body)
  }

  public static func escape(_ text: String) -> String {
    var unreserved = CharacterSet.alphanumerics
    unreserved.insert(charactersIn: "-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static func send(_ path: String, body: Data?, type: String?) async throws -> Self {
    let device = SimulatedDevice.current
    guard !device.isOffline, let url = URL(string: device.simulatorURL + path) else {
      throw Unreachable(description: "The simulated device is offline.")
    }
    var request = URLRequest(url: url, timeoutInterval: 60)
    request.httpMethod = body == nil ? "GET" : "POST"
    request.httpBody = body
    if let type { request.setValue(type, forHTTPHeaderField: "content-type") }
    made.withLock { $0 += 1 }
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else {
      throw Unreachable(description: "No HTTP response.")
    }
    return SimulatorCall(status: response.statusCode, body: data)
  }
}

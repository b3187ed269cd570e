import GatehouseProtocol

/// `GET /openapi.json`: the description of the API for apps and of the administrators' API (OpenAPI 3.1).
struct OpenAPI: Endpoint {
  let configuration: APIConfiguration

  var routes: [Route] { [.open("openapi.json", "openapi", answer)] }

  /// An upgraded server describes itself soon. Seconds.
  private static let cachedSeconds = 300

  func answer(_ call: Call) throws -> Answer {
    let document = try OpenAPIDocument.json.get()
    var writer = JSONWriter(reservingCapacity: document.count + 256)
    // The only member that depends on the server. The others are written once.
    writer.object { root in
      root.array("servers") { servers in
        servers.object { $0.member("url", configuration.publicURL) }
      }
    }
    var answer = Answer(
      json: writer.bytes.dropLast() + [UInt8(ascii: ",")] + document.dropFirst(),
      cachedSeconds: Self.cachedSeconds)
    answer.contentType = "application/json"
    return answer
  }
}

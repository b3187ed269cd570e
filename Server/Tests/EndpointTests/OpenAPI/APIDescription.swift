import GatehouseProtocol
import HTTPTypes
import Testing

@testable import GatehouseServer

/// `/openapi.json`, with which ``TestServer`` compares the requests and responses of all tests.
struct APIDescription {
  /// By method and pattern: `GET v2/projects/*/hooks`.
  let operations: [String: JSONValue]
  private let responses: JSONObject
  private let schema: JSONSchema

  static let shared = Result { () throws(JSONError) in
    APIDescription(try OpenAPIDocument.members.get())
  }

  init(_ document: JSONObject) {
    var operations: [String: JSONValue] = [:]
    for path in document["paths"]?.object?.members ?? [] {
      for operation in path.value.object?.members ?? [] {
        operations["\(operation.name.uppercased()) \(Self.pattern(path.name))"] = operation.value
      }
    }
    self.operations = operations
    responses = document["components"]?["responses"]?.object ?? JSONObject()
    schema = JSONSchema(document["components"]?["schemas"]?.object ?? JSONObject())
  }

  /// The path in the form of the routes: without the leading slash, and with `*` for what is in braces.
  static func pattern(_ path: String) -> String {
    let parts = path.dropFirst().split(separator: "{", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { "*" + $0.drop { $0 != "}" }.dropFirst() }
    return String(parts.first ?? "") + rest.joined()
  }

  /// What a test did that the description doesn't have: sentences with the operation and the member. Nil
  /// for a path that isn't described, such as a page or an alias.
  func faults(of request: TestRequest, _ reply: TestReply) -> [String] {
    let path = RequestPath(String(request.path.prefix { $0 != "?" }))
    let method = request.method == .head ? "GET" : request.method.rawValue
    guard let operation = operations["\(method) \(path.pattern)"] else { return [] }
    let name = operation["operationId"]?.string ?? ""
    guard let response = response(reply.status, of: operation) else {
      return [
        "\(name) answered \(reply.status), which its description lacks: \(reply.text.prefix(200))"
      ]
    }
    let isSuccess = (200..<300).contains(reply.status)
    return (request.method == .head ? [] : faults(in: reply, response))
      .map { "The answer \(reply.status) of \(name) \($0)." }
      + (isSuccess ? undescribed(in: request, operation) + strangers(in: request, operation) : [])
      .map { "A request that \(name) accepted has \($0), which the description lacks." }
  }

  /// The names in the query that neither the operation nor every request may have. As in a body, snake_case
  /// is the same.
  private func strangers(in request: TestRequest, _ operation: JSONValue) -> [String] {
    let known = (operation["parameters"]?.array ?? []).compactMap { parameter in
      let name = parameter["$ref"]?.string?.split(separator: "/").last.map { String($0) }
      return name ?? parameter["name"]?.string
    }
    let given = FormFields(String(request.uri.drop { $0 != "?" }.dropFirst())).fields.map(\.name)
    return given.filter { name in
      !(known + ["key", "alt", "tenantId"]).contains { JSONSchema.isSame(name, $0) }
    }.map { "the parameter \($0)" }
  }

  private func response(_ status: Int, of operation: JSONValue) -> JSONValue? {
    let response = operation["responses"]?["\(status)"]
    guard let name = response?["$ref"]?.string?.split(separator: "/").last else { return response }
    return responses[String(name)]
  }

  private func faults(in reply: TestReply, _ response: JSONValue) -> [String] {
    let content = response["content"]?.object?.members ?? []
    let type = String((reply.headers[.contentType] ?? "").prefix { $0 != ";" })
    guard let form = content.first(where: { $0.name == type }) else {
      return ["is \(type), which the description lacks"]
    }
    guard type == "application/json", let wanted = form.value["schema"] else { return [] }
    guard let body = try? JSONValue(parsing: reply.text) else { return ["is not JSON"] }
    return schema.faults(in: body, wanted)
  }

  private func undescribed(in request: TestRequest, _ operation: JSONValue) -> [String] {
    guard let body = request.body, !body.isEmpty,
      let content = operation["requestBody"]?["content"]?.object?.members.first
    else { return [] }
    let wanted = content.value["schema"] ?? .null
    if let json = try? JSONValue(parsing: body) { return schema.undescribed(in: json, wanted) }
    guard content.name == "application/x-www-form-urlencoded" else { return [] }
    let form = FormFields(body).fields.map { JSONObject.Member(name: $0.name, value: .null) }
    return schema.undescribed(in: .object(JSONObject(form)), wanted)
  }
}

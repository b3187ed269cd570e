import GatehouseProtocol

/// The description of the API, without the server's URL, from the files in `Capabilities`.
///
/// `document.json` has what all share. Each other file has the `paths` and `schemas` of one capability,
/// where an operation is shorter than in OpenAPI:
///
/// - `access` is that of the route, and becomes `security`; `server` is for administrators of all projects. With `role`, the lowest role of an
///   administrator, it becomes `x-role`.
/// - `request` and `response` name the schemas of a body, and of a success with status 200.
/// - `parameters` may name those of `document.json`. Those of the path are added.
/// - `errors` are statuses beside those that every route with this access can have.
///
/// The other members are OpenAPI's own. `OpenAPITests` compares all of this with the routes, and
/// `TestServer` every request and response of a test with the schemas.
///
/// Source: OpenAPI Specification 3.1.1.
enum OpenAPIDocument {
  /// The members of the document.
  static let members = Result { () throws(JSONError) in try merged() }

  /// The same as JSON text.
  static let json = members.map { $0.serialized() }

  /// The files of the capabilities, in the order of the document.
  static let capabilities = [
    PackageResources.sign_in_json, PackageResources.accounts_json,
    PackageResources.email_codes_json, PackageResources.phone_numbers_json,
    PackageResources.second_factors_json, PackageResources.passkeys_json,
    PackageResources.sessions_json, PackageResources.administered_accounts_json,
    PackageResources.project_config_json, PackageResources.providers_json,
    PackageResources.hooks_json, PackageResources.service_accounts_json,
    PackageResources.administration_json, PackageResources.event_log_json,
    PackageResources.keys_json, PackageResources.app_links_json, PackageResources.server_json,
  ]

  private static func merged() throws(JSONError) -> JSONObject {
    var document = try JSONObject(parsing: PackageResources.document_json)
    var tags: [JSONValue] = []
    var paths = JSONObject()
    var components = document["components"]?.object ?? JSONObject()
    var schemas = components["schemas"]?.object ?? JSONObject()
    for file in capabilities {
      let capability = try JSONObject(parsing: file)
      tags.append(capability["tag"] ?? .null)
      for path in capability["paths"]?.object?.members ?? [] {
        var item = paths[path.name]?.object ?? JSONObject()
        for operation in path.value.object?.members ?? [] {
          item[operation.name] = .object(
            whole(operation.value, at: path.name, in: capability["tag"]?["name"]))
        }
        paths[path.name] = .object(item)
      }
      for schema in capability["schemas"]?.object?.members ?? [] {
        schemas[schema.name] = schema.value
      }
    }
    components["schemas"] = .object(schemas)
    document["tags"] = .array(tags)
    document["paths"] = .object(paths)
    document["components"] = .object(components)
    return document
  }

  /// The operation as OpenAPI has it.
  private static func whole(
    _ short: JSONValue, at path: String, in tag: JSONValue?
  ) -> JSONObject {
    let access = short["access"]?.string ?? ""
    var operation = JSONObject()
    operation["tags"] = .array([tag ?? .null])
    for name in ["operationId", "summary", "description"] { operation[name] = short[name] }
    operation["security"] = .array(security(of: access))
    if ["administrator", "server", "client"].contains(access) {
      operation["x-role"] = short["role"] ?? .string(AdministratorRole.administrator.rawValue)
    }
    let parameters =
      names(in: path).map { reference("parameters", $0) }
      + (short["parameters"]?.array ?? []).map { parameter in
        parameter.string.map { reference("parameters", $0) } ?? parameter
      }
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    operation["requestBody"] =
      short["requestBody"] ?? short["request"]?.string.map { ["content": content($0)] }
    operation["responses"] = .object(responses(short, access))
    return operation
  }

  private static func responses(_ short: JSONValue, _ access: String) -> JSONObject {
    var responses = JSONObject()
    if let schema = short["response"]?.string {
      responses["200"] = ["description": "Success.", "content": content(schema)]
    }
    let own = short["responses"]?.object?.members ?? []
    for response in own { responses[response.name] = response.value }
    // Any request: its body, its headers, and a host name that isn't allowed.
    let all = [400, 403, 408, 413, 500, 503]
    let credentials = access == "anyone" ? [] : [401, 404]
    let others = (short["errors"]?.array ?? []).compactMap(\.int64).map { Int($0) }
    for status in Set(all + credentials + others).sorted() where responses["\(status)"] == nil {
      responses["\(status)"] = reference("responses", "\(status)")
    }
    return responses
  }

  /// What a caller sends: one of the elements.
  private static func security(of access: String) -> [JSONValue] {
    switch access {
    case "client": [["apiKey": []], ["apiKeyHeader": []], ["administrator": []]]
    case "clientOrAssertion": [["apiKey": []], ["apiKeyHeader": []], ["administrator": []], [:]]
    case "user": [["apiKey": [], "idToken": []], ["apiKeyHeader": [], "idToken": []]]
    case "administrator", "server": [["administrator": []]]
    default: []
    }
  }

  /// The names in braces.
  private static func names(in path: String) -> [String] {
    path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
  }

  private static func content(_ schema: String) -> JSONValue {
    ["application/json": ["schema": reference("schemas", schema)]]
  }

  private static func reference(_ kind: String, _ name: String) -> JSONValue {
    ["$ref": .string("#/components/\(kind)/\(name)")]
  }
}

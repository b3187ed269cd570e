import GatehouseProtocol
import HTTPTypes
import Testing

@testable import GatehouseServer

/// The comparison itself, with a small description: each refusal differs from an accepted case in one thing.
@Suite struct APIDescriptionTests {
  @Test func `a request and a response as described pass`() {
    #expect(Self.faults() == [])
    #expect(Self.faults(request: ["names": "one", "snake_name": "two"]) == [])
    #expect(Self.faults(response: ["name": "a", "kind": "dog", "legs": 4]) == [])
    #expect(Self.faults(response: ["name": "a", "list": [["id": "x"]], "map": ["any": "y"]]) == [])
  }

  @Test(
    arguments: [
      (["name": "a", "other": 1], "has other, which the description lacks"),
      (["kind": "cat"], "lacks name"),
      (["name": 1], "has name that is not of type string: 1"),
      (["name": "a", "kind": "cow"], "has kind = \"cow\", which the description's enum lacks"),
      (["name": "a", "legs": 4], "has legs, which the description lacks"),
      (["name": "a", "list": [["id": "x"], ["no": "x"]]], "lacks list[1].id"),
      (["name": "a", "map": ["any": 1]], "has map.any that is not of type string: 1"),
      (["name": "a", "secret": "s"], "has secret, which is only for requests"),
      (["name": "a", "fixed": "other"], "has fixed = \"other\", not \"this\""),
    ] as [(JSONValue, String)])
  func `a response with another member or value is a fault`(response: JSONValue, fault: String) {
    #expect(Self.faults(response: response).contains("The answer 200 of dogs.create \(fault)."))
  }

  @Test func `a status, a media type and a body that isn't JSON are faults`() {
    #expect(
      Self.faults(status: 418)
        == ["dogs.create answered 418, which its description lacks: {\"name\":\"a\"}"])
    #expect(
      Self.faults(type: "text/html")
        == ["The answer 200 of dogs.create is text/html, which the description lacks."])
    #expect(Self.faults(text: "{") == ["The answer 200 of dogs.create is not JSON."])
  }

  @Test func `a member or parameter that the server accepted has to be described`() {
    #expect(
      Self.faults(request: ["name": ["deep": 1, "inner": 1], "stranger": 1])
        == [
          "A request that dogs.create accepted has name.deep, which the description lacks.",
          "A request that dogs.create accepted has stranger, which the description lacks.",
        ])
    #expect(
      Self.faults(query: "size=1&page=2")
        == [
          "A request that dogs.create accepted has the parameter page, which the description lacks."
        ])
  }

  @Test func `a refused request may have anything`() {
    #expect(Self.faults(request: ["stranger": 1], query: "page=2", status: 400, text: "{}") == [])
  }

  @Test func `a path that isn't described passes`() {
    #expect(Self.faults(path: "/v1/projects/demo/cats", status: 418) == [])
  }

  private static func faults(
    path: String = "/v1/projects/demo/accounts", request: JSONValue = [:], query: String? = nil,
    response: JSONValue = ["name": "a"], status: Int = 200, type: String = "application/json",
    text: String? = nil
  ) -> [String] {
    var reply = HTTPFields()
    reply[.contentType] = type + "; charset=utf-8"
    return APIDescription(description).faults(
      of: TestRequest(path, request).with { $0.query = query },
      TestReply(status: status, headers: reply, text: text ?? response.text()))
  }

  private static let description: JSONObject = [
    "paths": [
      "/v1/projects/{project}/accounts": [
        "post": [
          "operationId": "dogs.create",
          "parameters": [
            ["$ref": "#/components/parameters/project"], ["name": "size", "in": "query"],
          ],
          "requestBody": [
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Request"]]]
          ],
          "responses": [
            "200": [
              "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Dog"]]]
            ],
            "400": ["$ref": "#/components/responses/400"],
          ],
        ]
      ]
    ],
    "components": [
      "responses": ["400": ["content": ["application/json": ["schema": ["type": "object"]]]]],
      "schemas": [
        "Request": [
          "type": "object",
          "properties": [
            "names": ["type": "array", "items": ["type": "string"]],
            "snakeName": ["type": "string"],
            "name": ["type": "object", "properties": ["inner": ["type": "integer"]]],
          ],
        ],
        "Legs": [
          "type": "object", "required": ["kind"],
          "properties": ["kind": ["const": "dog"], "legs": ["type": "integer"]],
        ],
        "Dog": [
          "type": "object", "required": ["name"], "unevaluatedProperties": false,
          "properties": [
            "name": ["type": "string"], "kind": ["type": "string", "enum": ["dog", "cat"]],
            "list": [
              "type": "array",
              "items": [
                "type": "object", "required": ["id"], "properties": ["id": ["type": "string"]],
              ],
            ],
            "map": ["type": "object", "additionalProperties": ["type": "string"]],
            "secret": ["type": "string", "writeOnly": true], "fixed": ["const": "this"],
          ],
          "anyOf": [["$ref": "#/components/schemas/Legs"], ["type": "object"]],
        ],
      ],
    ],
  ]
}

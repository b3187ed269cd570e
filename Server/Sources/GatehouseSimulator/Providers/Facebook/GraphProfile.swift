extension FacebookRoutes {
  /// `GET /facebook/graph/me?fields=id,name,email&access_token=`. Unknown fields, and fields that
  /// the person didn't allow, are left out.
  func me(_ form: RequestForm) throws -> JSONValue {
    let (grant, person) = try person(form)
    let fields = (form.filled("fields") ?? "id,name").split(separator: ",").map(String.init)
    var answer: [String: JSONValue] = [:]
    for field in fields + ["id"] {
      answer[field] = value(of: field, grant, person)
    }
    return .object(answer)
  }

  private func value(of field: String, _ grant: Grant, _ person: Person) -> JSONValue? {
    switch field {
    case "id": .string(FacebookClaims.userID(of: person.id, app: grant.clientID))
    case "name": person.name.map(JSONValue.string)
    case "first_name": person.givenName.map(JSONValue.string)
    case "last_name": person.familyName.map(JSONValue.string)
    case "email": grant.scopes.contains(.email) ? .string(person.email) : nil
    case "picture":
      [
        "data": [
          "height": 50, "width": 50, "is_silhouette": .bool(person.picture == nil),
          "url": .string(person.picture ?? "\(store.baseURL)/facebook/silhouette.svg"),
        ]
      ]
    default: nil
    }
  }

  /// `DELETE /facebook/graph/me/permissions`: the app gives up the person's consent. The next
  /// sign-in asks the person again.
  func deletePermissions(_ form: RequestForm) throws -> JSONValue {
    let (grant, _) = try person(form)
    try store.withState { state throws(SimulatorError) in
      try state.withdrawConsent(grant.consentKey)
    }
    return ["success": true]
  }

  /// `DELETE /facebook/graph/<user id>/permissions` with the app's own access token.
  func deletePermissions(_ form: RequestForm, ofUser userID: String) throws -> JSONValue {
    let appID = try authenticateApp(form)
    try store.withState { state throws in
      let person = state.persons.all.first {
        FacebookClaims.userID(of: $0.id, app: appID).isSame(as: userID)
      }
      let key = person.map { state.consentKey(.facebook, client: appID, person: $0.id) }
      guard let key, let consent = state.consents[key], !consent.isWithdrawn else {
        throw GraphError(
          100, subcode: 33,
          "Unsupported delete request. Object with ID '\(userID)' does not exist, cannot be "
            + "loaded due to missing permissions, or does not support this operation")
      }
      try state.withdrawConsent(key)
    }
    return ["success": true]
  }
}

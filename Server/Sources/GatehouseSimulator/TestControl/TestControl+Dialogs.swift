import Foundation
import Hummingbird

private struct DialogModeBody: RequestBodyMembers {
  static let members: Set<String> = ["mode"]

  var mode: DialogMode
}

extension TestControl {
  /// `GET /simulator/sheets`: whether a browser that names no person gets pages.
  func showDialogMode() throws -> Response {
    try .json(["mode": .string(store.withState { $0.dialogMode }.rawValue)])
  }

  /// `PUT /simulator/sheets {"mode":"ask"|"auto"}`.
  func putDialogMode(_ request: Request) async throws -> Response {
    let body: DialogModeBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    store.withState { $0.dialogMode = body.mode }
    return try showDialogMode()
  }
}

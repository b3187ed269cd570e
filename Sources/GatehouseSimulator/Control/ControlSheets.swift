import Foundation
import Hummingbird

private struct SheetsBody: RequestBodyMembers {
  static let members: Set<String> = ["mode"]

  var mode: SheetMode
}

extension ControlRoutes {
  /// `GET /simulator/sheets`: whether a browser that names nobody is asked.
  func showSheets() throws -> Response {
    try .json(["mode": .string(store.withState { $0.sheetMode }.rawValue)])
  }

  /// `PUT /simulator/sheets {"mode":"ask"|"auto"}`.
  func putSheets(_ request: Request) async throws -> Response {
    let body: SheetsBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    store.withState { $0.sheetMode = body.mode }
    return try showSheets()
  }
}

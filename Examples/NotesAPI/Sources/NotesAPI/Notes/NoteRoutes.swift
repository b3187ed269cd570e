import Foundation
import GatehouseVerifier
import Hummingbird

/// `/notes`: the caller's own notes.
struct NoteRoutes: Sendable {
  let notes: NoteStore

  struct NewNote: Decodable {
    var text: String
  }

  func add(to group: RouterGroup<NotesContext>) {
    group.get { _, context in await notes.all(of: try context.auth.uid) }
    group.post(use: create)
    group.delete(":id", use: remove)
  }

  private func create(
    _ request: Request, _ context: NotesContext
  ) async throws -> EditedResponse<Note> {
    let uid = try context.auth.uid
    let new = try await request.decode(as: NewNote.self, context: context)
    guard let note = await notes.add(new.text, of: uid, now: Date()) else {
      throw HTTPError(.conflict, message: "You have \(NoteStore.maximumCount) notes: delete some.")
    }
    return EditedResponse(status: .created, response: note)
  }

  private func remove(
    _ request: Request, _ context: NotesContext
  ) async throws -> HTTPResponse.Status {
    let uid = try context.auth.uid
    let id = try context.parameters.require("id", as: UUID.self)
    guard await notes.remove(id, of: uid) else { throw HTTPError(.notFound) }
    return .noContent
  }
}

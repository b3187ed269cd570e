import Foundation
import GatehouseVerifier
import Hummingbird

/// `/users/{uid}`: a user's document. Only that user can use it.
///
/// An app deletes the document, then the account. On the user's other devices an ID token is valid
/// until it expires. There, the missing document is the first sign of the deletion: after a 404 the
/// app refreshes its token, and learns that the account is deleted. Before it writes, the back end
/// asks the server whether the account exists. Otherwise another device could create the document
/// again with its token.
struct UserRoutes: Sendable {
  let users: UserDocumentStore
  let notes: NoteStore

  struct Change: Decodable {
    var name: String?
    var birthday: String?
  }

  /// - Parameters:
  ///   - reading: Routes that need a valid token.
  ///   - writing: Routes that also ask the server whether the account exists.
  func add(reading: RouterGroup<NotesContext>, writing: RouterGroup<NotesContext>) {
    reading.get(use: read)
    writing.put(use: write)
    writing.delete(use: remove)
  }

  private func read(_ request: Request, _ context: NotesContext) async throws -> UserDocument {
    let uid = try owner(context).uid
    guard let document = await users.document(uid) else {
      throw HTTPError(.notFound, message: "This user has no document.")
    }
    return document
  }

  private func write(_ request: Request, _ context: NotesContext) async throws -> UserDocument {
    let user = try owner(context)
    let change = try await request.decode(as: Change.self, context: context)
    return await users.put(
      user.uid, email: user.isEmailVerified ? user.email : nil, name: change.name,
      birthday: change.birthday, now: Date())
  }

  /// Deletes the user's document and notes. This can't be undone, so it needs a sign-in in the last
  /// five minutes, like the deletion of the account that follows.
  private func remove(
    _ request: Request, _ context: NotesContext
  ) async throws -> HTTPResponse.Status {
    let uid = try owner(context).uid
    try context.requireRecentSignIn(within: 300)
    await notes.removeAll(of: uid)
    await users.remove(uid)
    return .noContent
  }

  /// In security rules: `request.auth.uid == userId`.
  private func owner(_ context: NotesContext) throws -> AuthenticatedUser {
    try context.requireUser(try context.parameters.require("uid"))
  }
}

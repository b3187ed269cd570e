import Foundation
import GatehouseVerifier
import Hummingbird

/// `/users/{uid}`: a person's document, for that person alone.
///
/// An app deletes the document, then the account. On the person's other devices a token is still good
/// for a while, and the document is what they miss first: 404 tells such an app to refresh its token,
/// which tells it that the account is gone. Hence writing asks the server: otherwise that device's
/// token could bring the document back.
struct UserRoutes: Sendable {
  let users: UserDocumentStore
  let notes: NoteStore

  struct Change: Decodable {
    var name: String?
    var birthday: String?
  }

  /// - Parameters:
  ///   - reading: Routes that a good token opens.
  ///   - writing: Routes for which the account is known to be alive.
  func add(reading: RouterGroup<NotesContext>, writing: RouterGroup<NotesContext>) {
    reading.get(use: read)
    writing.put(use: write)
    writing.delete(use: remove)
  }

  private func read(_ request: Request, _ context: NotesContext) async throws -> UserDocument {
    let uid = try owner(context).uid
    guard let document = await users.document(uid) else {
      throw HTTPError(.notFound, message: "There is no document of this person.")
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

  /// Everything there is of the person. Can't be undone, so it takes a sign-in of the last five
  /// minutes, like the deletion of the account that follows it.
  private func remove(
    _ request: Request, _ context: NotesContext
  ) async throws -> HTTPResponse.Status {
    let uid = try owner(context).uid
    try context.requireRecentSignIn(within: .seconds(300))
    await notes.removeAll(of: uid)
    await users.remove(uid)
    return .noContent
  }

  /// Security rules say it as `request.auth.uid == userId`.
  private func owner(_ context: NotesContext) throws -> AuthenticatedUser {
    try context.requireUser(try context.parameters.require("uid"))
  }
}

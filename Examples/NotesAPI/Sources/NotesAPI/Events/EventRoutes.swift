import Foundation
import HTTPTypes
import Hummingbird

/// `POST /events`: what Gatehouse reports about accounts. When an account is deleted, on any device or by
/// an administrator, its document and notes are deleted.
///
/// An event may arrive twice; the second time has no further effect.
struct EventRoutes: Sendable {
  let verifier: WebhookVerifier
  let users: UserDocumentStore
  let notes: NoteStore

  /// The part of an event that is used here.
  private struct Event: Decodable {
    struct Subject: Decodable {
      var uid: String?
    }

    var type: String
    var data: Subject
  }

  func add(to router: Router<NotesContext>) {
    router.post("events", use: receive)
  }

  private func receive(
    _ request: Request, _ context: NotesContext
  ) async throws -> HTTPResponse.Status {
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    let bytes = [UInt8](buffer: body)
    do {
      try verifier.verify(
        header: { name in HTTPField.Name(name).flatMap { request.headers[$0] } }, body: bytes,
        now: Date())
    } catch {
      throw HTTPError(.unauthorized, message: "The signature is not valid.")
    }
    let event = try JSONDecoder().decode(Event.self, from: Data(bytes))
    if event.type == "account.deleted", let uid = event.data.uid {
      await notes.removeAll(of: uid)
      await users.remove(uid)
    }
    return .noContent
  }
}

import Foundation
import Hummingbird

struct Note: ResponseCodable {
  let id: UUID
  var text: String
  let createdAt: Date
}

/// The notes of all users, in memory, by their owner's id. A note can be reached only with its
/// owner's id.
actor NoteStore {
  static let maximumCount = 1000

  private var notes: [String: [Note]] = [:]

  func all(of uid: String) -> [Note] { notes[uid] ?? [] }

  /// - Returns: Nil if the user already has the maximum number of notes.
  func add(_ text: String, of uid: String, now: Date) -> Note? {
    guard all(of: uid).count < Self.maximumCount else { return nil }
    let note = Note(id: UUID(), text: text, createdAt: now)
    notes[uid, default: []].append(note)
    return note
  }

  /// - Returns: Whether the note existed. Another user's note does not exist for this user.
  func remove(_ id: UUID, of uid: String) -> Bool {
    guard let index = notes[uid]?.firstIndex(where: { $0.id == id }) else { return false }
    notes[uid]?.remove(at: index)
    return true
  }

  func removeAll(of uid: String) { notes[uid] = nil }
}

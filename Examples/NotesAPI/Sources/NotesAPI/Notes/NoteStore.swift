import Foundation
import Hummingbird

struct Note: ResponseCodable {
  let id: UUID
  var text: String
  let createdAt: Date
}

/// Everybody's notes, in memory, each under its owner's id: there is no way to a note but through
/// its owner.
actor NoteStore {
  static let maximumCount = 1000

  private var notes: [String: [Note]] = [:]

  func all(of uid: String) -> [Note] { notes[uid] ?? [] }

  /// - Returns: Nil if that is more than one person may have.
  func add(_ text: String, of uid: String, now: Date) -> Note? {
    guard all(of: uid).count < Self.maximumCount else { return nil }
    let note = Note(id: UUID(), text: text, createdAt: now)
    notes[uid, default: []].append(note)
    return note
  }

  /// - Returns: Whether there was one: somebody else's isn't there for this person.
  func remove(_ id: UUID, of uid: String) -> Bool {
    guard let index = notes[uid]?.firstIndex(where: { $0.id == id }) else { return false }
    notes[uid]?.remove(at: index)
    return true
  }

  func removeAll(of uid: String) { notes[uid] = nil }
}

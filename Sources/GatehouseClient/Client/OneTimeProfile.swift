import Foundation

/// Data about a user that a provider sends only once: Apple sends the name and the email address
/// with the first authorization and never again beside the token.
struct OneTimeProfile: Codable, Hashable {
  var provider: Provider
  /// The unverified subject of the ID token. Used only as a key on this device.
  var subject: String
  var fullName: PersonName?
  var email: String?
  var keptAt: Date

  func isOf(_ subject: String, at provider: Provider) -> Bool {
    self.provider == provider && self.subject.utf8.elementsEqual(subject.utf8)
  }
}

/// The whole list, in the form in which it is stored.
struct OneTimeProfileList: Codable, Hashable {
  private(set) var version = 1
  private(set) var profiles: [OneTimeProfile] = []

  /// A limit. One entry is for a user who began a sign-in on this device and hasn't completed it.
  static let mostProfiles = 8
  /// Older entries are removed, so that names aren't kept without need.
  static let longestKept: TimeInterval = 90 * 24 * 60 * 60

  init() {}

  /// - Throws: `damaged`.
  init(_ data: Data) throws(StoreFault) {
    guard let list = try? JSONDecoder().decode(Self.self, from: data), list.version == 1 else {
      throw StoreFault(.damaged, detail: "The stored list of names can't be read")
    }
    self = list
  }

  /// Nil for an empty list.
  func data() throws(StoreFault) -> Data? {
    if profiles.isEmpty { return nil }
    guard let data = try? JSONEncoder().encode(self) else {
      throw StoreFault(.unwritable, detail: "The list of names can't be encoded")
    }
    return data
  }

  func profile(of subject: String, at provider: Provider) -> OneTimeProfile? {
    profiles.first { $0.isOf(subject, at: provider) }
  }

  /// Replaces the entry of the same user. If there are too many entries, the oldest is removed.
  mutating func keep(_ profile: OneTimeProfile) {
    remove(profile.subject, at: profile.provider)
    profiles.append(profile)
    profiles.removeFirst(max(0, profiles.count - Self.mostProfiles))
  }

  mutating func remove(_ subject: String, at provider: Provider) {
    profiles.removeAll { $0.isOf(subject, at: provider) }
  }

  /// An entry from the future means that the clock was set back: it is kept.
  mutating func dropOld(at now: Date) {
    profiles.removeAll { now.timeIntervalSince($0.keptAt) > Self.longestKept }
  }
}

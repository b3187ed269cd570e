import Foundation

/// What a provider told the app of a person, once: Apple gives the name with the first agreement and
/// never again.
struct OneTimeProfile: Codable, Hashable {
  var provider: Provider
  /// As the ID token names the person, unverified: good as a key on this device and no more.
  var subject: String
  var fullName: PersonName?
  var email: String?
  var keptAt: Date

  func isOf(_ subject: String, at provider: Provider) -> Bool {
    self.provider == provider && self.subject.utf8.elementsEqual(subject.utf8)
  }
}

/// All that is kept, as it stands in the store.
struct OneTimeProfileList: Codable, Hashable {
  private(set) var version = 1
  private(set) var profiles: [OneTimeProfile] = []

  /// More people than that don't begin to sign in on one device without ever ending it.
  static let mostProfiles = 8
  /// Somebody who hasn't come back in this time is forgotten: a name isn't kept for nothing.
  static let longestKept: TimeInterval = 90 * 24 * 60 * 60
  /// The server drops a longer part of a name.
  static let longestPartBytes = 256

  init() {}

  /// - Throws: `damaged`.
  init(_ data: Data) throws(StoreFault) {
    guard let list = try? JSONDecoder().decode(Self.self, from: data), list.version == 1 else {
      throw StoreFault(.damaged, detail: "The list of names that were told once")
    }
    self = list
  }

  /// Nil for an empty list.
  func data() throws(StoreFault) -> Data? {
    if profiles.isEmpty { return nil }
    guard let data = try? JSONEncoder().encode(self) else {
      throw StoreFault(.unwritable, detail: "The list of names that were told once")
    }
    return data
  }

  func profile(of subject: String, at provider: Provider) -> OneTimeProfile? {
    profiles.first { $0.isOf(subject, at: provider) }
  }

  /// In place of what was kept of the same person; the oldest goes if there are too many.
  mutating func keep(_ profile: OneTimeProfile) {
    remove(profile.subject, at: profile.provider)
    profiles.append(profile)
    profiles.removeFirst(max(0, profiles.count - Self.mostProfiles))
  }

  mutating func remove(_ subject: String, at provider: Provider) {
    profiles.removeAll { $0.isOf(subject, at: provider) }
  }

  /// What is from a time to come stands for a clock that was set back: it's kept.
  mutating func dropOld(at now: Date) {
    profiles.removeAll { now.timeIntervalSince($0.keptAt) > Self.longestKept }
  }
}

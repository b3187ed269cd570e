package import Foundation
package import GatehouseProtocol

/// Manages a project's apps and API keys for an operator.
///
/// An API key is no secret: it identifies the project in a client's request. When a key is deleted, the
/// requests of every build of an app that contains this key are rejected.
package struct Apps: Sendable {
  private let projects: ProjectDirectory

  package init(_ projects: ProjectDirectory) { self.projects = projects }

  /// Why an app or a key can't be created or deleted.
  package enum Refusal: Error, Hashable, Sendable {
    case unknownProject
    /// The project already has an app with this bundle id.
    case taken(appID: String)
    /// The key belongs to an app. It is deleted with the app.
    case keyOfApp(appID: String)
  }

  /// Creates the app and its API key in one transaction.
  ///
  /// - Throws: ``Refusal/unknownProject`` or ``Refusal/taken(appID:)``.
  package func add(
    bundleID: String, displayName: String?, teamID: String? = nil, to project: ProjectID, now: Date
  ) async throws -> App {
    let key = APIKey.random(for: project, displayName: displayName ?? bundleID)
    var generator = SystemRandomNumberGenerator()
    let digits = String(generator.next() as UInt64, radix: 16)
    let suffix = String(repeating: "0", count: 16 - digits.count) + digits
    return try await projects.changing { transaction in
      guard let known = try transaction.project(project) else { throw Refusal.unknownProject }
      let others = try transaction.apps(of: project)
      if let other = others.first(where: { $0.bundleID.hasSameBytes(as: bundleID) }) {
        throw Refusal.taken(appID: other.id)
      }
      let app = App(
        id: "1:\(known.number):ios:\(suffix)", project: project, bundleID: bundleID,
        displayName: displayName, apiKey: key.text, createdAt: now, teamID: teamID)
      try transaction.insert(key)
      try transaction.insert(app)
      return app
    }
  }

  /// Changes the app's name or team.
  ///
  /// - Parameter id: The app's id, or its bundle id.
  /// - Returns: The app afterwards; nil if the project has no such app.
  package func update(
    _ id: String, of project: ProjectID, _ change: @escaping @Sendable (inout App) -> Void
  ) async throws -> App? {
    try await projects.changing { transaction in
      guard var app = try transaction.app(named: id, of: project) else { return nil }
      change(&app)
      try transaction.update(app)
      return app
    }
  }

  /// Deletes the app and its API key. False if the project has no such app.
  package func delete(_ id: String, of project: ProjectID) async throws -> Bool {
    try await projects.changing { transaction in
      guard let app = try transaction.app(named: id, of: project) else { return false }
      try transaction.delete(app)
      _ = try transaction.deleteAPIKey(app.apiKey)
      return true
    }
  }

  /// - Throws: ``Refusal/unknownProject``.
  package func createKey(for project: ProjectID, displayName: String?) async throws -> APIKey {
    let key = APIKey.random(for: project, displayName: displayName)
    try await projects.changing { transaction in
      guard try transaction.project(project) != nil else { throw Refusal.unknownProject }
      try transaction.insert(key)
    }
    return key
  }

  /// Deletes an API key that no app has. False if the project has no such key.
  ///
  /// - Throws: ``Refusal/keyOfApp(appID:)``.
  package func deleteKey(_ text: String, of project: ProjectID) async throws -> Bool {
    try await projects.changing { transaction in
      guard try transaction.apiKey(text)?.project == project else { return false }
      let apps = try transaction.apps(of: project)
      if let app = apps.first(where: { $0.apiKey.hasSameBytes(as: text) }) {
        throw Refusal.keyOfApp(appID: app.id)
      }
      return try transaction.deleteAPIKey(text)
    }
  }
}

extension Transaction {
  /// The project's app with this id, or with this bundle id.
  package func app(named id: String, of project: ProjectID) throws -> App? {
    try apps(of: project).first { $0.id.hasSameBytes(as: id) || $0.bundleID.hasSameBytes(as: id) }
  }
}

extension APIKey {
  /// `gk_` and 160 random bits. The key isn't secret. It is random only so that no two projects get the
  /// same key.
  package static func random(for project: ProjectID, displayName: String? = nil) -> APIKey {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    var generator = SystemRandomNumberGenerator()
    let text = (0..<27).map { _ in
      alphabet[Int.random(in: alphabet.indices, using: &generator)]
    }
    return APIKey(text: "gk_" + String(text), project: project, displayName: displayName)
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct KeyRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a ring's signing keys are listed oldest first`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      try await store.write { transaction in
        for (id, age) in [("young", 1.0), ("old", 2), ("middle", 1.5)] {
          try transaction.save(key(id, .idTokens, age: age))
        }
        try transaction.save(key("old", .sessionCookies, age: 9))
        var retired = key("old", .idTokens, age: 2)
        retired.activatedAt = Sample.now
        retired.retiredAt = Sample.now.addingTimeInterval(1)
        try transaction.save(retired)
        try transaction.deleteSigningKey("middle", of: .idTokens)
      }
      let (keys, cookies) = try await store.read { transaction in
        (
          try transaction.signingKeys(of: .idTokens),
          try transaction.signingKeys(of: .sessionCookies)
        )
      }
      #expect(keys.map(\.keyID) == ["old", "young"])
      #expect(keys.map(\.activatedAt) == [Sample.now, nil])
      #expect(keys.map(\.retiredAt) == [Sample.now.addingTimeInterval(1), nil])
      #expect(keys.map { $0.privateKey.reveal() } == [[1, 2, 3], [1, 2, 3]])
      #expect(cookies.map(\.publishedAt) == [Sample.now.addingTimeInterval(-9)])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `administrators' keys are found by their digest and deleted by their prefix`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let one = AdminKeyRecord(
        prefix: "gha_one", digest: [1], project: try Sample.first, createdAt: Sample.now,
        expiresAt: Sample.now.addingTimeInterval(1))
      let all = AdminKeyRecord(
        prefix: "gha_all", digest: [2], project: nil, createdAt: Sample.now, expiresAt: nil)
      try await store.write { transaction in
        try transaction.insert(one)
        try transaction.insert(all)
      }
      let (found, listed) = try await store.read { transaction in
        (
          try [[1], [2], [3]].map { try transaction.adminKey(digest: $0) },
          try transaction.adminKeys()
        )
      }
      #expect(found == [one, all, nil])
      #expect(listed == [all, one])
      let answers = try await store.write { transaction in
        [
          try transaction.deleteAdminKey(prefix: "gha_one"),
          try transaction.deleteAdminKey(prefix: "gha_one"),
        ]
      }
      #expect(answers == [true, false])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `reading a server value returns the latest one`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let values = try await store.write { transaction in
        try transaction.setServerValue("mode", to: Array("dev".utf8))
        try transaction.setServerValue("mode", to: [])
        try transaction.setServerValue("check", to: [0, 255])
        return try ["mode", "check", "Mode"].map { try transaction.serverValue($0) }
      }
      #expect(values == [[], [0, 255], nil])
    }
  }

  private func key(
    _ id: String, _ ring: SigningKeyRecord.Ring, age: TimeInterval
  ) -> SigningKeyRecord {
    SigningKeyRecord(
      keyID: id, ring: ring, privateKey: Secret([1, 2, 3]),
      publishedAt: Sample.now.addingTimeInterval(-age))
  }
}

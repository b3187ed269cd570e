import Foundation
import GatehouseProtocol

/// `GET v2/projects/{p}/statistics`: sign-ups, sign-ins and refused sign-ins by day and method.
struct ReadStatistics: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.administrator(.get, "v2/projects/*/statistics", "statistics.get", role: .viewer, answer)]
  }

  private static let defaultDays: Int64 = 30

  func answer(_ call: Call) async throws -> Answer {
    let project = try call.requireProject()
    let days = Int(try call.parameters.int64("days") ?? Self.defaultDays)
    guard (1...SignInCounts.keptDays).contains(days) else {
      throw APIError.invalidArgument("days is 1 to \(SignInCounts.keptDays).")
    }
    try await services.accounts.signInCounts.store(in: services.accounts.store)
    let today = SignInCounts.day(of: call.now)
    let counts = try await services.accounts.store.read {
      try $0.signInCounts(since: today - Int64(days), in: project.id)
    }
    return Answer(Statistics(days: Dictionary(grouping: counts, by: \.key.day)))
  }
}

private struct Statistics: WireResponse {
  let days: [Int64: [(key: SignInCounts.Key, count: Int64)]]

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("days") { list in
      for (day, counts) in days.sorted(by: { $0.key < $1.key }) {
        list.object { one in
          let date = Date(timeIntervalSince1970: Double(day) * 86_400)
          one.member("date", date.formatted(.iso8601.year().month().day()))
          for kind in SignInCounts.Kind.allCases {
            one.object(kind.rawValue + "s") { methods in
              for (key, count) in counts where key.kind == kind {
                methods.member(key.method, count)
              }
            }
          }
        }
      }
    }
  }
}

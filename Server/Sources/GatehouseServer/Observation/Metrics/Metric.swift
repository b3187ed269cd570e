package import Metrics

/// The metrics: the name with its unit, and what it counts or measures. docs/reference/metrics.md is made from this list.
package enum Metric: String, CaseIterable, Sendable {
  case buildInfo = "gatehouse_build_info"
  case requests = "gatehouse_http_requests_total"
  case requestSeconds = "gatehouse_http_request_duration_seconds"
  case connections = "gatehouse_http_connections"
  case connectionsRefused = "gatehouse_http_connections_refused_total"
  case signIns = "gatehouse_sign_ins_total"
  case refusals = "gatehouse_refusals_total"
  case passwordsWaiting = "gatehouse_passwords_waiting"
  case verificationCodes = "gatehouse_verification_codes_total"
  case blockingFunctionCalls = "gatehouse_blocking_function_calls_total"
  case commitSeconds = "gatehouse_commit_duration_seconds"
  case outboundRequests = "gatehouse_outbound_requests_total"
  case outboundSeconds = "gatehouse_outbound_request_duration_seconds"
  case outboxEntries = "gatehouse_outbox_entries"
  case outboxOldestSeconds = "gatehouse_outbox_oldest_seconds"
  case outboxAttempts = "gatehouse_outbox_attempts_total"
  case providerTokenChecks = "gatehouse_provider_token_checks_total"
  case watchers = "gatehouse_watchers"
  case watchersRefused = "gatehouse_watchers_refused_total"
  case watchersEnded = "gatehouse_watchers_ended_total"
  case keyAgeSeconds = "gatehouse_signing_key_age_seconds"
  case clockOffsetSeconds = "gatehouse_clock_offset_seconds"
  case processSeconds = "process_cpu_seconds_total"
  case processBytes = "process_resident_memory_bytes"
  case processVirtualBytes = "process_virtual_memory_bytes"
  case processOpenFiles = "process_open_fds"
  case processMaximumFiles = "process_max_fds"
  case processStart = "process_start_time_seconds"

  /// The labels, and the meaning.
  package var help: String {
    switch self {
    case .buildInfo: "1, with the version and the commit as labels."
    case .requests: "Requests by route and status."
    case .requestSeconds: "How long requests took, by route."
    case .connections: "Open connections."
    case .connectionsRefused:
      "Connections that a limit ended, by reason: address (too many of one client), slow (a request took too long to "
        + "arrive), unread (a client took too long to read)."
    case .signIns:
      "Sign-ins by method and outcome: signed_in, signed_up, second_factor_needed, refused, and of providers asked, "
        + "needs_confirmation, needs_consent, conflict."
    case .refusals: "Requests that were refused with an error code of accounts, by code."
    case .passwordsWaiting: "Passwords that are being hashed or wait for it."
    case .verificationCodes: "Text messages with codes, by outcome."
    case .blockingFunctionCalls: "Calls of blocking functions, by trigger and outcome."
    case .commitSeconds: "How long the database took to make transactions durable."
    case .outboundRequests:
      "Requests to others, by kind (provider, keys, webhook, function, mail), provider and outcome: ok, refused (4xx), "
        + "failed."
    case .outboundSeconds: "How long such requests took, by kind and provider."
    case .outboxEntries: "Work that follows changes, by kind and state: live or failed."
    case .outboxOldestSeconds: "The age of the oldest live entry, by kind."
    case .outboxAttempts:
      "Attempts at such work, by kind, provider and outcome: done, retried, failed, late."
    case .providerTokenChecks: "Checks of Apple's refresh tokens, by outcome."
    case .watchers: "Devices that watch their accounts."
    case .watchersRefused: "Devices that were refused, by reason."
    case .watchersEnded: "Ended streams of such devices, by reason."
    case .keyAgeSeconds:
      "Since when the key that signs now is published, by kind: idTokens, sessionCookies, and each with ES256."
    case .clockOffsetSeconds: "PostgreSQL: this machine's clock minus the database's."
    case .processSeconds: "Processor time of the process."
    case .processBytes: "Memory of the process in RAM."
    case .processVirtualBytes: "Virtual memory of the process."
    case .processOpenFiles: "Open file descriptors of the process."
    case .processMaximumFiles: "The limit of open file descriptors."
    case .processStart: "When the process started, in seconds since 1970."
    }
  }

  package func counter(_ labels: (String, String)...) -> Counter {
    Counter(label: rawValue, dimensions: labels)
  }

  package func gauge(_ labels: (String, String)...) -> Gauge {
    Gauge(label: rawValue, dimensions: labels)
  }

  func timer(_ labels: (String, String)...) -> Timer {
    Timer(label: rawValue, dimensions: labels)
  }

  /// A counter for each value of a label: each series begins with 0, so that its first increase is seen.
  func counters<Value: Hashable & Sendable>(
    _ label: String, _ values: some Sequence<Value>, text: (Value) -> String = { "\($0)" }
  ) -> [Value: Counter] {
    Dictionary(
      values.map { ($0, counter((label, text($0)))) }, uniquingKeysWith: { first, _ in first })
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol

/// The checks of `doctor mail`, one after the other.
struct MailExamination {
  let settings: MailSettings
  /// The selectors of the DKIM keys.
  let selectors: [String]
  let resolver: any DNSResolver
  /// The client that calls the webhook.
  let outbound: OutboundClient

  private var domain: String {
    settings.from.address.split(separator: "@").last.map(String.init) ?? ""
  }

  static let notConfigured =
    "no mail server is configured: give \(Settings.mailServer.key) or "
    + "\(Settings.mailWebhook.key), and \(Settings.mailFrom.key)"

  /// The checks that an administrator asks a server for.
  static func findings(
    _ request: MailExaminationRequest, with settings: MailSettings?, by outbound: OutboundClient
  ) async -> [Finding] {
    guard let settings else {
      return [Finding("mail", .failed(remedy: "Set it, and restart the server."), notConfigured)]
    }
    let examination = MailExamination(
      settings: settings, selectors: request.selectors, resolver: SystemDNSResolver(asking: nil),
      outbound: outbound)
    let recipient = request.recipient.flatMap { try? Mailbox(recipient: $0) }
    if let recipient, !request.checksDomain { return [await examination.testEmail(to: recipient)] }
    return await examination.findings(sendingTo: recipient)
  }

  func findings(sendingTo recipient: Mailbox? = nil) async -> [Finding] {
    var findings = [await route(), appleRelay]
    findings.append(await lookedUp("SPF") { () async throws(DNSFault) in try await spf() })
    for selector in selectors {
      findings.append(
        await lookedUp("DKIM") { () async throws(DNSFault) in try await dkim(selector) })
    }
    if selectors.isEmpty { findings.append(Self.unknownSelector) }
    findings.append(await lookedUp("DMARC") { () async throws(DNSFault) in try await dmarc() })
    findings.append(
      await lookedUp("MX") { () async throws(DNSFault) in try await mailExchangers() })
    if let recipient { findings.append(await testEmail(to: recipient)) }
    return findings
  }

  // MARK: The mail server, or the webhook

  private func route() async -> Finding {
    switch settings.route {
    case .server(let server):
      Self.finding(await SMTPTransport(to: server, threads: 1).check(), at: server)
    case .webhook:
      Finding(
        "mail webhook", .warning(remedy: "Send a test email: --to ADDRESS."),
        "\(settings.place): only an email shows whether it works")
    }
  }

  private static func finding(_ result: DeliveryResult, at server: SMTPServer) -> Finding {
    let place = "\(server.host):\(server.port)"
    let check = "mail server"
    switch result {
    case .delivered:
      let security =
        switch server.security {
        case .tls: "with TLS, and its certificate is valid"
        case .startTLS: "with STARTTLS, and its certificate is valid"
        case .none: "without TLS, on this machine"
        }
      let user = server.credentials.map { _ in "; it accepts the user and the password" } ?? ""
      return Finding(check, .ok, "\(place) is reached \(security)\(user)")
    default: return failure(result, at: place, check: check)
    }
  }

  private static func failure(
    _ result: DeliveryResult, at place: String, check: String
  ) -> Finding {
    switch result {
    case .delivered: Finding(check, .ok, place)
    case .temporary(_, let text), .permanent(_, let text), .busy(_, let text), .unknown(let text):
      Finding(check, .failed(remedy: "Ask its operator."), "\(place) answered: \(text)")
    case .unreachable(let reason):
      Finding(
        check,
        .failed(remedy: "Correct the settings mail.…, or allow outbound connections to the port."),
        "\(place) can't be reached: \(reason)")
    case .misconfigured(let reason):
      Finding(
        check, .failed(remedy: "Correct the settings mail.…, or the certificate there."),
        "\(place): \(reason)")
    }
  }

  func testEmail(to recipient: Mailbox) async -> Finding {
    guard let message = settings.testMessage(to: recipient, now: Date()) else {
      return Finding(
        "test email", .failed(remedy: "Correct \(Settings.mailFrom.key)."),
        "the sender's address has no usable domain")
    }
    switch await settings.sendTest(message, by: outbound) {
    case .delivered(let reply):
      return Finding(
        "test email",
        .warning(
          remedy:
            "Look for it in \(recipient.address). Its header Authentication-Results says what "
            + "the receiver found: spf=pass, dkim=pass, dmarc=pass."),
        "\(settings.place) took it: \(reply)")
    case let result:
      return Self.failure(result, at: settings.place, check: "test email")
    }
  }

  // MARK: Apple

  /// Apple asks for the domain and the address under "Sign in with Apple for Email Communication"
  /// (developer.apple.com/help/account/capabilities/configure-private-email-relay-service).
  private var appleRelay: Finding {
    let detail = "register the domain \(domain) and the address \(settings.from.address) with Apple"
    guard settings.isKnownToAppleRelay else {
      return Finding(
        "Apple's private relay",
        .warning(
          remedy: "Then set \(Settings.mailAppleRelay.key)=registered. Until then users who hide "
            + "their address get no email."), detail)
    }
    return Finding(
      "Apple's private relay", .ok, "registered, as the settings say: \(settings.from.address)")
  }

  // MARK: The DNS

  private func lookedUp(
    _ check: String, _ body: () async throws(DNSFault) -> Finding
  ) async -> Finding {
    do {
      return try await body()
    } catch {
      return Finding(
        check, .warning(remedy: "Try again, or ask another with --name-server."),
        "unknown: \(error)")
    }
  }

  private func spf() async throws(DNSFault) -> Finding {
    let verdict = try await SPFCheck.verdict(of: domain, asking: resolver)
    let remedy =
      "Publish one TXT record at \(domain), as your mail provider describes, such as "
      + "“v=spf1 include:spf.example.net -all”."
    let fault: String
    switch verdict {
    case .good(let lookups):
      return Finding("SPF", .ok, "\(domain) has one record, with \(lookups) of 10 lookups")
    case .neutral:
      return Finding(
        "SPF", .warning(remedy: "End the record with “-all” or “~all”."),
        "the record of \(domain) says nothing about other servers")
    case .missing:
      fault = "\(domain) has no record: most receivers reject its mail, or call it spam"
    case .several(let count): fault = "\(domain) has \(count) records, and so none that counts"
    case .invalid(let term, let owner):
      fault = "the record of \(owner) has “\(term)”, which receivers can't read"
    case .missingInclusion(let name): fault = "the record names \(name), which has none"
    case .tooManyLookups: fault = "the record needs more than 10 lookups: receivers give up"
    case .allowsAll:
      fault =
        "the record of \(domain), or one that it includes, allows every server to send, or half of all servers"
    }
    return Finding("SPF", .failed(remedy: remedy), fault)
  }

  private func dkim(_ selector: String) async throws(DNSFault) -> Finding {
    let name = DKIMCheck.name(selector: selector, domain: domain)
    let remedy = "Publish at \(name) what your mail provider gives you for it (TXT or CNAME)."
    let fault: String
    switch try await DKIMCheck.verdict(selector: selector, domain: domain, asking: resolver) {
    case .good: return Finding("DKIM", .ok, "\(name) has a key")
    case .short:
      return Finding(
        "DKIM", .warning(remedy: "Replace it by a key of 2048 bits."),
        "\(name) has an RSA key of fewer than 2048 bits")
    case .missing: fault = "there is no key at \(name)"
    case .revoked: fault = "the key at \(name) was withdrawn"
    case .invalid: fault = "the record at \(name) is not a key"
    case .tooShort: fault = "\(name) has an RSA key of fewer than 1024 bits: receivers ignore it"
    }
    return Finding("DKIM", .failed(remedy: remedy), fault)
  }

  private static let unknownSelector = Finding(
    "DKIM",
    .warning(
      remedy:
        "Give its selector, which your mail provider names: --dkim-selector NAME. In a received "
        + "email it is s=… in the header DKIM-Signature."),
    "not checked: the name of its record contains the selector")

  private func dmarc() async throws(DNSFault) -> Finding {
    let remedy = "Publish a TXT record at _dmarc.\(domain): “v=DMARC1; p=quarantine”."
    switch try await DMARCCheck.verdict(of: domain, asking: resolver) {
    case .good(let policy, let place):
      return Finding("DMARC", .ok, "\(place) asks for p=\(policy)")
    case .monitoring(let place):
      return Finding(
        "DMARC",
        .warning(remedy: "When its reports show only your own mail, publish p=quarantine."),
        "\(place) has p=none: mail that others send in your name is delivered")
    case .missing: return Finding("DMARC", .failed(remedy: remedy), "\(domain) has no record")
    case .several(let place):
      return Finding("DMARC", .failed(remedy: remedy), "\(place) has several records: none counts")
    case .invalid(let place):
      return Finding("DMARC", .failed(remedy: remedy), "the record at \(place) has no policy")
    }
  }

  private func mailExchangers() async throws(DNSFault) -> Finding {
    let hosts = try await resolver.mailExchangers(of: domain)
    let remedy = "Publish an MX record, so that replies and notices of failed delivery arrive."
    if hosts.isEmpty {
      return Finding("MX", .warning(remedy: remedy), "\(domain) has no MX record")
    }
    if hosts == [""] {
      return Finding(
        "MX", .failed(remedy: remedy),
        "\(domain) says that it takes no mail (null MX): receivers may refuse its emails (RFC 7505)"
      )
    }
    return Finding("MX", .ok, "\(domain) takes mail at \(hosts.joined(separator: ", "))")
  }
}

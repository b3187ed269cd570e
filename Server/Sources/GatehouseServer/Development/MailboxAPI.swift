import Foundation
import GatehouseProtocol

/// `GET /emulator/v1/projects/{p}/mailbox`: the emails of a project, latest first, for tests.
/// `DELETE` removes them.
struct MailboxAPI: Endpoint {
  let mails: DevelopmentMails

  var routes: [Route] {
    let pattern = "emulator/v1/projects/*/mailbox"
    return [
      .developer(.get, pattern, "emulator.mailbox", list),
      .developer(.delete, pattern, "emulator.mailbox.clear", clear),
    ]
  }

  private func list(_ call: Call) async throws -> Answer {
    var writer = JSONWriter()
    let found = mails.list(try call.requireProject().id)
    writer.object { answer in
      answer.array("messages") { messages in
        for mail in found {
          messages.object {
            $0.member("date", mail.date.formatted(.iso8601))
            $0.member("kind", mail.kind)
            $0.member("from", mail.from)
            $0.member("to", mail.to)
            $0.member("subject", mail.subject)
            $0.member("language", mail.language)
            $0.member("link", ifPresent: mail.link)
            $0.member("code", ifPresent: mail.code)
            $0.member("text", mail.text)
            $0.member("html", ifPresent: mail.html)
          }
        }
      }
    }
    return Answer(json: writer.bytes)
  }

  private func clear(_ call: Call) async throws -> Answer {
    mails.clear(try call.requireProject().id)
    return Answer(json: Array("{}".utf8))
  }
}

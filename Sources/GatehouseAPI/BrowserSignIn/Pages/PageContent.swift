import HTTPTypes

/// What a page says.
enum PageContent: Sendable {
  case fault(HandlerFault)
  /// An answer is still on its way to the handler: see ``PageScript``.
  case waiting
  /// Where an app's link leads if a browser opens it.
  case backToApp

  var status: HTTPResponse.Status {
    switch self {
    case .fault(let fault): fault.kind == .server ? .serviceUnavailable : .badRequest
    case .waiting, .backToApp: .ok
    }
  }

  var needsScript: Bool {
    if case .waiting = self { true } else { false }
  }

  /// For whoever runs the server, in English.
  var detail: String? {
    if case .fault(let fault) = self { fault.detail } else { nil }
  }

  func text(in language: PageLanguage) -> PageText {
    switch language {
    case .english: english
    case .german: german
    case .vietnamese: vietnamese
    }
  }

  private var english: PageText {
    switch self {
    case .waiting:
      PageText("Signing in", "One moment. This page needs JavaScript to go on.")
    case .backToApp: PageText("Go back to the app", "You can close this page.")
    case .fault(let fault):
      switch fault.kind {
      case .setup:
        PageText(
          "Sign-in isn’t set up yet",
          "The app and its sign-in server don’t agree. Only the people who make the app can fix this."
        )
      case .link:
        PageText(
          "This link doesn’t work", "It is incomplete. Go back to the app and sign in from there.")
      case .expired:
        PageText(
          "That took too long",
          "For your safety a sign-in ends after ten minutes. Go back to the app and begin again.")
      case .otherBrowser:
        PageText(
          "This sign-in belongs to another browser",
          "Go back to the app and begin again. If that doesn’t help, allow cookies for this page. If "
            + "somebody sent you this link, don’t use it.")
      case .used:
        PageText(
          "This sign-in is finished",
          "Go back to the app. If you aren’t signed in there, begin again.")
      case .server: PageText("Not right now", "The server can’t answer. Try again in a moment.")
      }
    }
  }

  private var german: PageText {
    switch self {
    case .waiting:
      PageText("Anmeldung", "Einen Moment. Diese Seite braucht JavaScript, um fortzufahren.")
    case .backToApp: PageText("Zurück zur App", "Diese Seite kann geschlossen werden.")
    case .fault(let fault):
      switch fault.kind {
      case .setup:
        PageText(
          "Die Anmeldung ist noch nicht eingerichtet",
          "Die App und ihr Anmeldeserver passen nicht zusammen. Das können nur die Leute beheben, die "
            + "die App machen.")
      case .link:
        PageText(
          "Dieser Link funktioniert nicht",
          "Er ist unvollständig. Bitte zurück zur App gehen und die Anmeldung dort beginnen.")
      case .expired:
        PageText(
          "Das hat zu lange gedauert",
          "Zur Sicherheit endet eine Anmeldung nach zehn Minuten. Bitte in der App neu beginnen.")
      case .otherBrowser:
        PageText(
          "Diese Anmeldung gehört zu einem anderen Browser",
          "Bitte in der App neu beginnen. Hilft das nicht, müssen für diese Seite Cookies erlaubt "
            + "sein. Kam dieser Link von jemand anderem, sollte er nicht benutzt werden.")
      case .used:
        PageText(
          "Diese Anmeldung ist abgeschlossen",
          "Bitte zurück zur App gehen. Wer dort nicht angemeldet ist, beginnt neu.")
      case .server:
        PageText("Gerade nicht", "Der Server kann nicht antworten. Bitte gleich noch einmal.")
      }
    }
  }

  private var vietnamese: PageText {
    switch self {
    case .waiting:
      PageText("Đang đăng nhập", "Vui lòng chờ. Trang này cần JavaScript để tiếp tục.")
    case .backToApp: PageText("Quay lại ứng dụng", "Bạn có thể đóng trang này.")
    case .fault(let fault):
      switch fault.kind {
      case .setup:
        PageText(
          "Đăng nhập chưa được thiết lập",
          "Ứng dụng và máy chủ đăng nhập chưa khớp nhau. Chỉ người làm ứng dụng mới sửa được.")
      case .link:
        PageText(
          "Liên kết này không dùng được",
          "Liên kết không đầy đủ. Hãy quay lại ứng dụng và đăng nhập từ đó.")
      case .expired:
        PageText(
          "Đã quá lâu",
          "Để an toàn, một lần đăng nhập kết thúc sau mười phút. Hãy quay lại ứng dụng và làm lại.")
      case .otherBrowser:
        PageText(
          "Lần đăng nhập này thuộc về trình duyệt khác",
          "Hãy quay lại ứng dụng và làm lại. Nếu vẫn không được, hãy cho phép cookie cho trang này. "
            + "Nếu ai đó gửi cho bạn liên kết này, đừng dùng.")
      case .used:
        PageText(
          "Lần đăng nhập này đã xong",
          "Hãy quay lại ứng dụng. Nếu bạn chưa được đăng nhập, hãy làm lại.")
      case .server:
        PageText("Chưa được lúc này", "Máy chủ không thể trả lời. Hãy thử lại sau giây lát.")
      }
    }
  }
}

/// A page's words in one language.
struct PageText: Sendable {
  let title: String
  let body: String

  init(_ title: String, _ body: String) {
    self.title = title
    self.body = body
  }
}

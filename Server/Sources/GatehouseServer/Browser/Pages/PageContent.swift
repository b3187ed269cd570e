import HTTPTypes

/// The content of a page.
enum PageContent: Sendable {
  case fault(HandlerFault)
  /// The provider's response may be in the URL's fragment: see ``PageScript/handler``.
  case waiting
  /// The target of an app's link if a browser opens it. `link` opens the app of the same sign-in,
  /// if there is one.
  case backToApp(link: String?)
  /// The page opens the app. The browser may require that a person starts this: see ``AppOpening``.
  case openApp(link: String)
  /// A page that reports the result of the sign-in to another page: see ``PageScript/popup`` and
  /// ``PageScript/redirect``.
  case telling(EventDelivery)
  /// What a production server shows at its root.
  case home
  case nothingHere

  var status: HTTPResponse.Status {
    switch self {
    case .fault(let fault): fault.kind == .server ? .serviceUnavailable : .badRequest
    case .waiting, .backToApp, .openApp, .telling, .home: .ok
    case .nothingHere: .notFound
    }
  }

  var script: PageScript? {
    switch self {
    case .waiting: .handler
    case .telling(let delivery): delivery.script
    case .fault, .backToApp, .openApp, .home, .nothingHere: nil
    }
  }

  /// The data for the script, as JSON in a form that HTML can't misread.
  var data: String? {
    if case .telling(let delivery) = self { delivery.json } else { nil }
  }

  /// The text that the script shows instead if there is no result, or it can't be reported.
  func failure(in language: PageLanguage) -> PageText? {
    switch self {
    case .waiting: PageContent.fault(.link("")).text(in: language)
    case .telling(let delivery):
      delivery.returnURL == nil ? .nobodyListens(in: language) : .nothingKept(in: language)
    case .fault, .backToApp, .openApp, .home, .nothingHere: nil
    }
  }

  /// The URL that the page's button opens.
  var appLink: String? {
    switch self {
    case .backToApp(let link): link
    case .openApp(let link): link
    case .fault, .waiting, .telling, .home, .nothingHere: nil
    }
  }

  /// Whether the page opens the URL by itself.
  var opensByItself: Bool {
    if case .openApp = self { true } else { false }
  }

  /// For the operator, in English.
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
    case .waiting, .telling:
      PageText("Signing in", "One moment. This page needs JavaScript to go on.")
    case .backToApp(nil): PageText("Go back to the app", "You can close this page.")
    case .backToApp:
      PageText("Go back to the app", "It opens with the button. You can close this page then.")
    case .openApp:
      PageText("Almost done", "If the app doesn’t open by itself, open it with the button.")
    case .home:
      PageText(
        "Sign-in server", "Apps use it to sign people in. There is nothing to do on this page.")
    case .nothingHere:
      PageText("There is nothing here", "Check the address, or go back to the app.")
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
            + "someone sent you this link, don’t use it.")
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
    case .waiting, .telling:
      PageText("Anmeldung", "Einen Moment. Diese Seite braucht JavaScript, um fortzufahren.")
    case .backToApp(nil): PageText("Zurück zur App", "Diese Seite kann geschlossen werden.")
    case .backToApp:
      PageText(
        "Zurück zur App", "Der Knopf öffnet sie. Danach kann diese Seite geschlossen werden.")
    case .openApp:
      PageText("Fast fertig", "Öffnet sich die App nicht von selbst, dann mit dem Knopf.")
    case .home:
      PageText(
        "Anmeldeserver", "Apps melden hier Menschen an. Auf dieser Seite gibt es nichts zu tun.")
    case .nothingHere:
      PageText("Hier ist nichts", "Bitte die Adresse prüfen oder zurück zur App gehen.")
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
    case .waiting, .telling:
      PageText("Đang đăng nhập", "Vui lòng chờ. Trang này cần JavaScript để tiếp tục.")
    case .backToApp(nil): PageText("Quay lại ứng dụng", "Bạn có thể đóng trang này.")
    case .backToApp:
      PageText("Quay lại ứng dụng", "Hãy mở bằng nút bên dưới. Sau đó bạn có thể đóng trang này.")
    case .openApp: PageText("Gần xong", "Nếu ứng dụng không tự mở, hãy mở bằng nút bên dưới.")
    case .home:
      PageText(
        "Máy chủ đăng nhập",
        "Các ứng dụng dùng máy chủ này để đăng nhập. Trang này không có gì để làm.")
    case .nothingHere:
      PageText("Không có gì ở đây", "Hãy kiểm tra địa chỉ, hoặc quay lại ứng dụng.")
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

extension PageText {
  /// The window that opened this one is closed, was separated from it, or didn't ask for a sign-in.
  static func nobodyListens(in language: PageLanguage) -> PageText {
    switch language {
    case .english:
      PageText(
        "Go back to the app",
        "The page that asked for this sign-in isn’t there any more. Close this window and begin again "
          + "in the app.")
    case .german:
      PageText(
        "Zurück zur App",
        "Die Seite, die diese Anmeldung wollte, ist nicht mehr da. Bitte dieses Fenster schließen und "
          + "in der App neu beginnen.")
    case .vietnamese:
      PageText(
        "Quay lại ứng dụng",
        "Trang yêu cầu đăng nhập không còn nữa. Hãy đóng cửa sổ này và làm lại trong ứng dụng.")
    }
  }

  /// The browser doesn't let this page store data.
  static func nothingKept(in language: PageLanguage) -> PageText {
    switch language {
    case .english:
      PageText(
        "This browser keeps nothing for this page",
        "Allow cookies and site data for it. Then go back to the app and begin again.")
    case .german:
      PageText(
        "Dieser Browser speichert nichts für diese Seite",
        "Bitte Cookies und Websitedaten für sie erlauben und dann in der App neu beginnen.")
    case .vietnamese:
      PageText(
        "Trình duyệt không lưu gì cho trang này",
        "Hãy cho phép cookie và dữ liệu của trang, rồi quay lại ứng dụng và làm lại.")
    }
  }
}

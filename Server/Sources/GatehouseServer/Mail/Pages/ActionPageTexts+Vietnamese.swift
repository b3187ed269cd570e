extension ActionPageTexts {
  static let vietnamese = ActionPageTexts(
    passwordReset: Story(
      asked: PageText(
        "Chọn mật khẩu mới",
        "Cho tài khoản có địa chỉ {email}. Mọi thiết bị sẽ bị đăng xuất."),
      button: "Lưu mật khẩu",
      done: PageText(
        "Đã đổi mật khẩu",
        "Hãy đăng nhập vào {email} bằng mật khẩu mới. Mọi thiết bị đã bị đăng xuất.")),
    emailVerification: Story(
      asked: PageText(
        "Xác nhận địa chỉ email", "{email} có phải là địa chỉ của tài khoản của bạn?"),
      button: "Xác nhận địa chỉ",
      done: PageText("Đã xác nhận địa chỉ", "{email} nay thuộc về tài khoản của bạn.")),
    emailChange: Story(
      asked: PageText(
        "Đổi địa chỉ email",
        "Địa chỉ của tài khoản của bạn là {email}. Địa chỉ mới sẽ là {newEmail}. Mọi thiết bị sẽ bị "
          + "đăng xuất."),
      button: "Đổi địa chỉ",
      done: PageText(
        "Đã đổi địa chỉ",
        "Từ nay hãy đăng nhập bằng {newEmail}. Mọi thiết bị đã bị đăng xuất.")),
    emailRecovery: Story(
      asked: PageText(
        "Khôi phục địa chỉ email",
        "Địa chỉ của tài khoản của bạn đã bị đổi. Địa chỉ sẽ trở lại là {email}. Mọi thiết bị sẽ bị "
          + "đăng xuất. Mật khẩu và các cách đăng nhập khác được thêm vào từ lần cuối bạn xác nhận "
          + "địa chỉ này sẽ bị xóa."),
      button: "Khôi phục địa chỉ",
      done: PageText(
        "Đã khôi phục địa chỉ",
        "Địa chỉ của tài khoản của bạn lại là {email}. Mọi thiết bị đã bị đăng xuất.")),
    newPassword: "Mật khẩu mới",
    rules: Rules(
      minimumLength: "ít nhất {n} ký tự", maximumLength: "nhiều nhất {n} ký tự",
      lowercase: "một chữ thường (a–z)", uppercase: "một chữ hoa (A–Z)",
      digit: "một chữ số (0–9)", symbol: "một ký tự đặc biệt như ! ? # -"),
    badPassword: "Mật khẩu này chưa được lưu. Mật khẩu cần có:",
    notYou: "Nếu bạn không yêu cầu việc này, hãy đóng trang. Khi đó không có gì thay đổi.",
    ownChange: "Nếu chính bạn đã đổi địa chỉ, hãy đóng trang. Khi đó không có gì thay đổi.",
    consent: Consent(
      asked: PageText(
        "Những thứ này có thuộc về nhau không?",
        "Nếu bạn tiếp tục, tất cả sẽ thuộc về một tài khoản, và mỗi thứ đều đăng nhập được vào đó:"),
      button: "Tôi đồng ý: đổi địa chỉ", phone: "số điện thoại của bạn"),
    signIn: SignIn(
      asked: PageText("Đăng nhập", "Hãy tiếp tục trong ứng dụng mà bạn đã yêu cầu liên kết này."),
      openApp: "Mở ứng dụng", goOn: "Tiếp tục"),
    digits: Digits(
      asked: PageText(
        "Nhập mã",
        "Chúng tôi đã gửi cho bạn một email có sáu chữ số. Mã có hiệu lực trong mười phút."),
      field: "Sáu chữ số", button: "Tiếp tục",
      wrong: "Đây không phải là mã trong email mới nhất, hoặc mã đã quá cũ.",
      orLink: "Bạn cũng có thể dùng liên kết trong email."),
    resetMail: ResetMail(
      advice: "Có thể người khác biết mật khẩu của bạn. Hãy chọn mật khẩu mới:",
      button: "Gửi cho tôi liên kết đặt mật khẩu mới",
      adviceWithoutMail:
        "Có thể người khác biết mật khẩu của bạn. Hãy chọn mật khẩu mới trong ứng dụng.",
      sent: PageText(
        "Hãy xem hộp thư của bạn",
        "Nếu {email} thuộc về một tài khoản, liên kết đặt mật khẩu mới đang được gửi đi.")),
    ending: Ending(
      goOn: "Tiếp tục", close: "Bạn có thể đóng trang này và quay lại ứng dụng.",
      untrusted:
        "Liên kết dẫn tới một nơi không thuộc về ứng dụng. Hãy đóng trang này và tự mở ứng "
        + "dụng."),
    faults: Faults(
      incomplete: PageText(
        "Liên kết này không dùng được",
        "Liên kết không đầy đủ. Hãy mở lại từ email, hoặc yêu cầu liên kết mới trong ứng dụng."),
      spent: PageText(
        "Liên kết này không còn dùng được",
        "Liên kết đã hết hạn, đã được dùng, hoặc đã được thay bằng liên kết mới hơn. Hãy yêu cầu liên "
          + "kết mới trong ứng dụng."),
      spentRecovery: PageText(
        "Liên kết này không còn dùng được",
        "Liên kết đã hết hạn hoặc đã được dùng. Nếu tài khoản của bạn vẫn có một địa chỉ khác, hãy hỏi "
          + "người làm ứng dụng."),
      userDisabled: PageText(
        "Tài khoản này bị khóa", "Chỉ người làm ứng dụng mới mở khóa được."),
      emailTaken: PageText(
        "Không có gì thay đổi", "Địa chỉ này nay thuộc về một tài khoản khác."),
      notOffered: PageText(
        "Ứng dụng không hỗ trợ việc này",
        "Hãy quay lại ứng dụng và đăng nhập bằng cách khác."),
      noApp: PageText(
        "Liên kết này mở ứng dụng",
        "Hãy mở liên kết trên thiết bị có ứng dụng, hoặc yêu cầu liên kết mới trong ứng dụng."),
      tooManyAttempts: PageText(
        "Quá nhiều lần thử",
        "Không có gì thay đổi. Hãy chờ vài phút rồi mở lại liên kết."),
      otherSite: PageText(
        "Yêu cầu này đến từ một trang khác",
        "Không có gì thay đổi. Hãy mở lại liên kết từ email và dùng nút ở đó."),
      busy: PageText("Chưa được lúc này", "Máy chủ đang bận. Hãy thử lại sau giây lát.")))
}

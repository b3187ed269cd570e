extension BuiltInLanguage {
  static let vietnamese = BuiltInLanguage(
    tag: .vietnamese,
    phrases: MailPhrases(
      greeting: "Xin chào{{#displayName}} {{displayName}}{{/displayName}},",
      code: "Hoặc nhập mã này trong ứng dụng trong vòng 10 phút:",
      validity: "Liên kết có hiệu lực trong {{expiry}} và chỉ dùng được một lần.",
      address: "Nếu nút không hoạt động, hãy mở địa chỉ này trong trình duyệt:",
      footer: "{{appName}} đã tự động gửi email này."),
    text: vietnameseText)

  private static func vietnameseText(_ kind: MailKind) -> MailText {
    switch kind {
    case .verifyEmail:
      MailText(
        subject: "Xác minh địa chỉ email của bạn cho {{appName}}",
        heading: "Xác minh địa chỉ email của bạn",
        paragraphs: [
          "Ai đó đã nhập {{email}} làm địa chỉ email của một tài khoản {{appName}}. Nếu đó là bạn, hãy "
            + "xác nhận rằng địa chỉ này là của bạn."
        ],
        button: "Xác minh địa chỉ email",
        otherwise: "Nếu không phải bạn, hãy bỏ qua email này. Địa chỉ sẽ không được xác minh.")
    case .resetPassword:
      MailText(
        subject: "Đặt lại mật khẩu {{appName}} của bạn",
        heading: "Đặt lại mật khẩu của bạn",
        paragraphs: [
          "Ai đó đã yêu cầu đặt lại mật khẩu của tài khoản {{appName}} có địa chỉ email {{email}}. Nếu "
            + "đó là bạn, hãy chọn mật khẩu mới."
        ],
        button: "Chọn mật khẩu mới",
        otherwise: "Nếu không phải bạn, hãy bỏ qua email này. Mật khẩu của bạn vẫn như cũ.")
    case .signIn:
      MailText(
        subject: "Đăng nhập {{appName}}",
        heading: "Đăng nhập {{appName}}",
        paragraphs: [
          "Ai đó đã yêu cầu đăng nhập {{appName}} bằng địa chỉ email {{email}}. Nếu đó là bạn, hãy tiếp "
            + "tục bên dưới."
        ],
        button: "Đăng nhập",
        otherwise:
          "Nếu không phải bạn, hãy bỏ qua email này và sẽ không có ai được đăng nhập. Đừng "
          + "chuyển tiếp email này: ai có nó đều có thể đăng nhập bằng tài khoản của bạn.")
    case .verifyAndChangeEmail:
      MailText(
        subject: "Xác nhận địa chỉ email mới của bạn cho {{appName}}",
        heading: "Xác nhận địa chỉ email mới",
        paragraphs: [
          "Ai đó đã yêu cầu đổi địa chỉ email của một tài khoản {{appName}} thành {{newEmail}}. Nếu đó "
            + "là bạn, hãy xác nhận địa chỉ mới."
        ],
        button: "Xác nhận địa chỉ mới",
        otherwise: "Nếu không phải bạn, hãy bỏ qua email này. Tài khoản sẽ giữ nguyên địa chỉ.")
    case .recoverEmail:
      MailText(
        subject: "Địa chỉ email {{appName}} của bạn đã được đổi",
        heading: "Địa chỉ email của bạn đã được đổi",
        paragraphs: [
          "{{#newEmail}}Địa chỉ email của tài khoản {{appName}} của bạn đã được đổi từ {{email}} thành "
            + "{{newEmail}}.{{/newEmail}}{{^newEmail}}Địa chỉ email {{email}} đã được xóa khỏi tài khoản "
            + "{{appName}} của bạn.{{/newEmail}} Nếu đó là bạn, bạn không cần làm gì.",
          "Nếu không phải bạn, hãy hoàn tác thay đổi. Tài khoản của bạn sẽ lại có địa chỉ {{email}}.",
        ],
        button: "Hoàn tác thay đổi",
        otherwise: "Nếu bạn bỏ qua email này, thay đổi sẽ được giữ.")
    case .passwordChanged:
      MailText(
        subject: "Mật khẩu {{appName}} của bạn đã được đổi",
        heading: "Mật khẩu của bạn đã được đổi",
        paragraphs: [
          "Mật khẩu của tài khoản {{appName}} có địa chỉ email {{email}} đã được đổi. Nếu đó là bạn, bạn "
            + "không cần làm gì."
        ],
        otherwise:
          "Nếu không phải bạn, hãy mở {{appName}} và đặt lại mật khẩu ở màn hình đăng nhập.")
    case .providerLinked:
      MailText(
        subject: "Cách đăng nhập mới cho {{appName}}",
        heading: "Cách đăng nhập mới",
        paragraphs: [
          "Giờ đây có thể đăng nhập bằng {{providerName}} vào tài khoản {{appName}} có địa chỉ email "
            + "{{email}}. Nếu bạn đã thêm cách này, bạn không cần làm gì."
        ],
        otherwise:
          "Nếu bạn không thêm, hãy mở {{appName}}, xóa cách đăng nhập này khỏi tài khoản và "
          + "đổi mật khẩu.")
    case .secondFactorAdded:
      MailText(
        subject: "Yếu tố thứ hai mới cho {{appName}}",
        heading: "Yếu tố thứ hai mới",
        paragraphs: [
          "Một yếu tố thứ hai đã được thêm vào tài khoản {{appName}} có địa chỉ email "
            + "{{email}}: từ nay khi đăng nhập còn cần một mã. Nếu bạn đã thêm, bạn không cần làm "
            + "gì."
        ],
        otherwise:
          "Nếu bạn không thêm, hãy mở {{appName}}, xóa yếu tố này khỏi tài khoản và đổi mật "
          + "khẩu.")
    case .secondFactorRemoved:
      MailText(
        subject: "Yếu tố thứ hai đã bị xóa khỏi {{appName}}",
        heading: "Yếu tố thứ hai đã bị xóa",
        paragraphs: [
          "Một yếu tố thứ hai đã bị xóa khỏi tài khoản {{appName}} có địa chỉ email "
            + "{{email}}. Nếu bạn đã xóa, bạn không cần làm gì."
        ],
        otherwise: "Nếu bạn không xóa, hãy mở {{appName}}, đổi mật khẩu và thêm lại yếu tố này.")
    case .recoveryCodesCreated:
      MailText(
        subject: "Mã khôi phục mới cho {{appName}}",
        heading: "Mã khôi phục mới",
        paragraphs: [
          "Các mã khôi phục mới đã được tạo cho tài khoản {{appName}} có địa chỉ email "
            + "{{email}}. Các mã trước đó không còn dùng được. Nếu bạn đã tạo, bạn không cần làm "
            + "gì."
        ],
        otherwise: "Nếu bạn không tạo, hãy mở {{appName}}, đổi mật khẩu và tạo mã khôi phục mới.")
    case .recoveryCodeUsed:
      MailText(
        subject: "Mã khôi phục cho {{appName}} đã được dùng",
        heading: "Một mã khôi phục đã được dùng",
        paragraphs: [
          "Có người đã đăng nhập tài khoản {{appName}} có địa chỉ email {{email}} bằng một mã "
            + "khôi phục. Nếu đó là bạn, bạn không cần làm gì."
        ],
        otherwise: "Nếu không phải bạn, hãy mở {{appName}}, đổi mật khẩu và tạo mã khôi phục mới.")
    case .passkeyAdded:
      MailText(
        subject: "Passkey mới cho {{appName}}",
        heading: "Passkey mới",
        paragraphs: [
          "Một passkey đã được thêm vào tài khoản {{appName}} có địa chỉ email {{email}}. Ai có passkey "
            + "này đều có thể đăng nhập. Nếu bạn đã thêm, bạn không cần làm gì."
        ],
        otherwise:
          "Nếu bạn không thêm, hãy mở {{appName}}, xóa passkey này khỏi tài khoản và đổi mật "
          + "khẩu.")
    case .passkeyRemoved:
      MailText(
        subject: "Passkey cho {{appName}} đã bị xóa",
        heading: "Passkey đã bị xóa",
        paragraphs: [
          "Một passkey của tài khoản {{appName}} có địa chỉ email {{email}} đã bị xóa. Không ai còn có thể "
            + "đăng nhập bằng passkey này. Nếu bạn đã xóa, bạn không cần làm gì."
        ],
        otherwise:
          "Nếu bạn không xóa, hãy mở {{appName}} và kiểm tra các cách đăng nhập vào tài khoản "
          + "của bạn.")
    case .deletionScheduled:
      MailText(
        subject: "Tài khoản {{appName}} của bạn sẽ bị xóa",
        heading: "Tài khoản của bạn sẽ bị xóa",
        paragraphs: [
          "Tài khoản {{appName}} có địa chỉ email {{email}} sẽ bị xóa sau {{expiry}}. Nếu bạn đã yêu "
            + "cầu việc này, bạn không cần làm gì.",
          "Để giữ tài khoản, hãy đăng nhập trước thời hạn đó.",
        ],
        otherwise: "Nếu bạn không yêu cầu, hãy đăng nhập ngay và đổi mật khẩu.")
    case .accountDeleted:
      MailText(
        subject: "Tài khoản {{appName}} của bạn đã bị xóa",
        heading: "Tài khoản của bạn đã bị xóa",
        paragraphs: [
          "Tài khoản {{appName}} có địa chỉ email {{email}} đã bị xóa. Không ai còn đăng nhập được bằng "
            + "tài khoản này. Nếu bạn đã yêu cầu việc này, bạn không cần làm gì."
        ],
        otherwise: "Nếu bạn không yêu cầu, hãy liên hệ với đơn vị vận hành {{appName}}.")
    }
  }
}

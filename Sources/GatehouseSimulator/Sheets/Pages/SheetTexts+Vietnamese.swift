extension SheetTexts {
  static let vietnamese = SheetTexts(
    note: { "Trình giả lập để thử nghiệm. Đây không phải \($0), cũng không phải tài khoản thật." },
    chooseTitle: { "Chọn một người ở \($0)" },
    toGoOn: { "để tiếp tục đến \($0)" },
    usedLast: "dùng gần đây nhất",
    another: "Dùng người khác",
    anotherTitle: "Người khác",
    anotherBody: "Được tạo ngay tại đây. Nếu địa chỉ đã có người dùng, chính người đó đăng nhập.",
    firstName: "Tên",
    lastName: "Họ",
    email: "Email",
    emailRefused: "Hãy nhập một địa chỉ như carol@example.com, và tên dài tối đa 256 byte.",
    full: "Đã có quá nhiều người. Hãy xóa bớt trước.",
    consentTitle: { client, provider in "Đăng nhập vào \(client) bằng \(provider)" },
    signedInAs: "Đăng nhập với tên",
    otherAccount: "Chọn người khác",
    nameLegend: "Tên",
    nameBody: "Ứng dụng chỉ nhận một lần này, đúng như được viết ở đây.",
    emailLegend: "Địa chỉ email",
    share: "Chia sẻ email của tôi",
    hide: "Ẩn email của tôi",
    hideBody: { "Ứng dụng nhận \($0) thay cho email của bạn." },
    againBody: { "Bạn đã từng dùng \($0). Ứng dụng không nhận thêm gì mới." },
    clientGets: { "\($0) sẽ có thể" },
    scope: {
      switch $0 {
      case .openid: "biết bạn là ai"
      case .email: "xem địa chỉ email của bạn"
      case .profile, .publicProfile, .name: "xem tên và ảnh của bạn"
      case .offlineAccess: "dùng quyền này khi bạn vắng mặt"
      }
    },
    untickBody: "Những gì bạn bỏ chọn sẽ được giữ riêng tư.",
    goOn: "Tiếp tục",
    cancel: "Hủy",
    back: "Quay lại",
    endedTitle: "Trang này đã hết hạn",
    endedBody: "Trang đã được trả lời hoặc đã quá cũ. Hãy quay lại ứng dụng và làm lại.")
}

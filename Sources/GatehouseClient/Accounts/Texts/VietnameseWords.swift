struct VietnameseWords: Words {
  func title(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Chưa bắt đầu xóa được"
    case .reauthenticateApple: "Apple không xác nhận được danh tính của bạn"
    case .reauthenticateGoogle: "Google không xác nhận được danh tính của bạn"
    case .reauthenticate: "Chúng tôi không xác nhận được danh tính của bạn"
    case .revokeApple: "Vẫn còn liên kết với Apple"
    case .revokeGoogle: "Vẫn còn liên kết với Google"
    case .delete: "Không xóa được tài khoản"
    }
  }

  func description(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Chúng tôi không kiểm tra được tài khoản của bạn."
    case .reauthenticateApple:
      "Trước khi xóa tài khoản, Apple cần xác nhận danh tính của bạn. Việc này không thành công."
    case .reauthenticateGoogle:
      "Trước khi xóa tài khoản, Google cần xác nhận danh tính của bạn. Việc này không thành công."
    case .reauthenticate:
      "Trước khi xóa tài khoản, bạn cần đăng nhập lại một lần nữa. Việc này không thành công."
    case .revokeApple:
      "Không báo được cho Apple rằng ứng dụng này không còn được dùng Tài khoản Apple của bạn."
    case .revokeGoogle:
      "Không báo được cho Google rằng ứng dụng này không còn được dùng Tài khoản Google của bạn."
    case .delete: "Bước cuối cùng, xóa chính tài khoản, không thành công."
    }
  }

  func suggestion(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Hãy thử lại sau giây lát."
    case .reauthenticateApple: "Hãy thử lại với Tài khoản Apple mà bạn đã dùng để đăng nhập."
    case .reauthenticateGoogle: "Hãy thử lại với Tài khoản Google mà bạn đã dùng để đăng nhập."
    case .reauthenticate: "Hãy thử lại theo cách bạn thường đăng nhập."
    case .revokeApple:
      "Hãy thử lại. Nếu vẫn không được, hãy gỡ ứng dụng này trong Cài đặt, mục tên của bạn rồi “Đăng nhập bằng Apple”, sau đó xóa tài khoản tại đây."
    case .revokeGoogle:
      "Hãy thử lại. Nếu vẫn không được, hãy gỡ ứng dụng này trong Tài khoản Google của bạn, mục “Ứng dụng và dịch vụ của bên thứ ba”, sau đó xóa tài khoản tại đây."
    case .delete: "Hãy thử lại. Những gì đã xong không cần làm lại."
    }
  }

  func advice(_ advice: Advice, for aim: AdviceAim) -> String {
    let deletes = aim == .deletion
    return switch advice {
    case .offline: "Hãy kiểm tra kết nối mạng rồi thử lại."
    case .busy: "Một cửa sổ khác đang mở. Hãy hoàn tất ở đó trước rồi thử lại."
    case .anotherAccount:
      deletes
        ? "Bạn đã chọn một tài khoản khác với tài khoản dùng để đăng nhập. Hãy thử lại với tài khoản đó."
        : "Bạn đã chọn một tài khoản khác. Hãy thử lại với tài khoản đang được kết nối ở đây."
    case .notOnThisDevice:
      "Thiết bị này không làm được việc đó. Hãy thử trên thiết bị bạn đã đăng nhập, hoặc đăng nhập bằng cách khác."
    case .signInFirst:
      deletes ? "Hãy đăng nhập lại rồi xóa tài khoản." : "Hãy đăng nhập rồi thử lại."
    case .proveByOtherWay:
      deletes
        ? "Hãy đăng xuất, đăng nhập lại rồi xóa tài khoản trong vòng năm phút."
        : "Hãy đăng xuất, đăng nhập lại rồi thử lại trong vòng năm phút."
    case .wrongPassword: "Mật khẩu không đúng. Hãy thử lại, hoặc yêu cầu gửi mật khẩu mới."
    case .tooManyAttempts: "Đã thử quá nhiều lần. Hãy đợi vài phút rồi thử lại."
    case .disabled:
      deletes
        ? "Tài khoản của bạn đã bị khóa. Hãy viết cho nhà phát triển ứng dụng để họ xóa tài khoản."
        : "Tài khoản của bạn đã bị khóa. Hãy viết cho nhà phát triển ứng dụng."
    case .administratorsOnly:
      deletes
        ? "Chỉ nhà phát triển ứng dụng mới xóa được tài khoản. Hãy viết cho họ để yêu cầu xóa."
        : "Chỉ nhà phát triển ứng dụng mới làm được việc này. Hãy viết cho họ."
    case .appIsNotSetUp:
      deletes
        ? "Đây là lỗi của ứng dụng, không phải của bạn. Hãy viết cho nhà phát triển để họ xóa tài khoản."
        : "Đây là lỗi của ứng dụng, không phải của bạn. Hãy viết cho nhà phát triển."
    case .accountExists:
      "Bạn đã có tài khoản với địa chỉ email này. Hãy đăng nhập theo cách bạn đã dùng trước đây."
    case .accountInUse:
      "Mục này đã thuộc về một tài khoản khác. Hãy đăng xuất rồi đăng nhập bằng nó, hoặc chọn mục khác."
    case .startAgain: "Thao tác này quá lâu hoặc đã được dùng rồi. Hãy bắt đầu lại."
    case .agreeFirst: "Bạn cần đồng ý trước khi kết nối. Chưa có gì thay đổi."
    case .secondFactorFirst: "Tài khoản của bạn cần thêm một mã. Hãy nhập mã để tiếp tục."
    case .wrongCode: "Mã không đúng. Hãy thử lại với mã mới nhất."
    case .verifyEmailFirst:
      "Hãy xác nhận địa chỉ email trước: mở liên kết mà chúng tôi đã gửi cho bạn."
    }
  }

  func progress(_ progress: DeletionProgress) -> String {
    switch progress {
    case .nothingRevoked: "Tài khoản của bạn không thay đổi."
    case .partlyRevoked: "Tài khoản của bạn vẫn còn, và việc xóa sẽ tiếp tục từ chỗ đã dừng."
    }
  }

  func interface(_ text: InterfaceText) -> String {
    switch text {
    case .account: "Tài khoản"
    case .signOut: "Đăng xuất"
    case .deleteAccount: "Xóa tài khoản"
    case .deleteQuestion:
      "Tài khoản và mọi dữ liệu trong đó sẽ bị xóa vĩnh viễn. Bạn có muốn xóa tài khoản không?"
    case .yesDelete: "Có, xóa"
    case .cancel: "Hủy"
    case .ok: "Đồng ý"
    case .continueWithApple: "Tiếp tục với Apple"
    case .continueWithGoogle: "Tiếp tục với Google"
    case .continueWithProvider: "Tiếp tục trong trình duyệt"
    case .continueWithPassword: "Tiếp tục bằng mật khẩu"
    case .newAccountQuestion: "Bạn là người mới, hay đã có tài khoản?"
    case .newHere: "Tôi là người mới"
    case .haveAccount: "Tôi đã có tài khoản"
    case .waysToSignIn: "Các cách đăng nhập"
    case .connect: "Kết nối"
    case .disconnect: "Ngắt kết nối"
    case .email: "Địa chỉ email"
    case .password: "Mật khẩu"
    case .passwordToDelete: "Nhập mật khẩu để xóa tài khoản."
    case .signIn: "Đăng nhập"
    case .signInToConnect:
      "Hãy đăng nhập vào tài khoản của bạn. Sau đó chúng tôi sẽ kết nối cách đăng nhập mới với tài khoản."
    case .consentTitle: "Kết nối với tài khoản của bạn?"
    case .consentMessage:
      "Nếu bạn đồng ý, những mục sau được gộp vào một tài khoản và ứng dụng biết rằng chúng là của bạn:"
    case .agree: "Tôi đồng ý"
    case .doNotConnect: "Không kết nối"
    case .yourEmail: "Địa chỉ email của bạn"
    case .yourPhoneNumber: "Số điện thoại của bạn"
    case .yourAppleAccount: "Tài khoản Apple của bạn"
    case .yourGoogleAccount: "Tài khoản Google của bạn"
    case .yourFacebookAccount: "Tài khoản Facebook của bạn"
    case .yourGitHubAccount: "Tài khoản GitHub của bạn"
    case .yourMicrosoftAccount: "Tài khoản Microsoft của bạn"
    case .signInFailed: "Đăng nhập không thành công"
    case .didNotWork: "Không thành công"
    case .tryAgain: "Hãy thử lại sau giây lát."
    case .secondFactors: "Đăng nhập hai bước"
    case .addSecondFactor: "Thêm bước thứ hai"
    case .secondFactorRequired:
      "Tài khoản của bạn cần bước thứ hai. Hãy chọn cách xác nhận rằng đó là bạn."
    case .chooseSecondFactor: "Bạn muốn xác nhận bằng cách nào?"
    case .authenticatorApp: "Ứng dụng xác thực"
    case .textMessage: "Tin nhắn SMS"
    case .recoveryCode: "Mã khôi phục"
    case .otherWay: "Chọn cách khác"
    case .continue: "Tiếp tục"
    case .code: "Mã"
    case .enterAppCode: "Nhập mã mà ứng dụng xác thực hiển thị."
    case .enterMessageCode: "Nhập mã mà chúng tôi đã gửi cho bạn qua tin nhắn SMS."
    case .enterRecoveryCode: "Nhập một mã khôi phục của bạn. Mã đó không dùng lại được."
    case .sendAgain: "Gửi lại"
    case .phoneNumber: "Số điện thoại"
    case .addToAuthenticator:
      "Quét mã này bằng ứng dụng xác thực, mở ứng dụng trên thiết bị này, hoặc nhập khóa."
    case .openAuthenticator: "Mở ứng dụng xác thực"
    case .continueWithPasskey: "Tiếp tục bằng khóa truy cập"
    case .passkeys: "Khóa truy cập"
    case .addPasskey: "Thêm khóa truy cập"
    case .usePasskey: "Dùng khóa truy cập"
    case .signUpWithPasskey: "Tạo tài khoản bằng khóa truy cập"
    case .recoveryCodesLeft: "Số mã khôi phục còn lại:"
    case .newRecoveryCodes: "Tạo mã khôi phục mới"
    case .saveRecoveryCodes:
      "Hãy giữ các mã khôi phục này ở nơi an toàn. Mỗi mã cho phép đăng nhập một lần nếu bạn mất thiết bị. Chúng sẽ không được hiển thị lại."
    case .savedRecoveryCodes: "Tôi đã lưu"
    case .remove: "Xóa"
    }
  }
}

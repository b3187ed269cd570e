import Testing

@testable import gatehouse

@Suite struct SettingTests {
  @Test(arguments: [
    ("port", "--port", "GATEHOUSE_PORT"),
    ("publicURL", "--public-url", "GATEHOUSE_PUBLIC_URL"),
    ("tls.key", "--tls-key", "GATEHOUSE_TLS_KEY"),
    ("providers.baseURL", "--providers-base-url", "GATEHOUSE_PROVIDERS_BASE_URL"),
  ]) func `the names of the flag and the variable are derived from the key`(
    _ key: String, _ flag: String, _ variable: String
  ) {
    let setting = Setting.names(key, "")
    #expect(setting.flag == flag)
    #expect(setting.environmentName == variable)
  }

  @Test func `a number's range limits its values, and is shown in its form and its fault`() throws {
    let setting = Setting.integer("port", in: 1...9, "the port", standard: 3)
    #expect(setting.form == "1…9")
    #expect(setting.meaning == "the port")
    #expect(setting.listedStandard == "3")
    #expect(try setting.value(.init(text: "9", isDevelopment: false)) == 9)
    for text in ["0", "10", "", "x", "1.5"] {
      #expect(throws: SettingFault("“\(text)” is not a whole number from 1 to 9")) {
        try setting.value(.init(text: text, isDevelopment: false))
      }
    }
  }

  @Test func `the default in development is shown after the default in production`() {
    let setting = Setting.integer("cost", in: 1...20, "cost", standard: 15, inDevelopment: 10)
    #expect(setting.meaning == "cost")
    #expect(setting.listedStandard == "15, in --dev 10")
    #expect(setting.standard(isDevelopment: false) == 15)
    #expect(setting.standard(isDevelopment: true) == 10)
  }

  @Test func `names are separated by commas, without the spaces around them`() throws {
    let setting = Setting.names("hosts", "hosts")
    #expect(try setting.value(.init(text: " a, b ,,c", isDevelopment: false)) == ["a", "b", "c"])
    #expect(setting.standard == [])
    #expect(setting.meaning == "hosts")
    #expect(setting.listedStandard == "none")
  }
}

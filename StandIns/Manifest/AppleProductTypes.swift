// Replaces the module that Xcode and Swift Playgrounds have for app packages. It has what the
// examples' manifests use, as SwiftPM declares it (Sources/AppleProductTypes), and is only
// type-checked.
import PackageDescription

public struct ProductSetting {
  public struct IOSAppInfo {
    public enum DeviceFamily: String { case phone, pad, mac }

    public struct DeviceFamilyCondition {
      public static func when(deviceFamilies: [DeviceFamily]) -> DeviceFamilyCondition {
        DeviceFamilyCondition()
      }
    }

    public enum InterfaceOrientation {
      case portrait(_ condition: DeviceFamilyCondition? = nil)
      case portraitUpsideDown(_ condition: DeviceFamilyCondition? = nil)
      case landscapeRight(_ condition: DeviceFamilyCondition? = nil)
      case landscapeLeft(_ condition: DeviceFamilyCondition? = nil)

      public static var portrait: Self { portrait(nil) }
      public static var portraitUpsideDown: Self { portraitUpsideDown(nil) }
      public static var landscapeRight: Self { landscapeRight(nil) }
      public static var landscapeLeft: Self { landscapeLeft(nil) }
    }

    public enum AppIcon {
      public struct PlaceholderIcon { public static var leaf: Self { Self() } }
      case placeholder(icon: PlaceholderIcon)
      case asset(String)
    }

    public enum AccentColor {
      public struct PresetColor { public static var blue: Self { Self() } }
      case presetColor(PresetColor)
      case asset(String)
    }

    public enum Capability {}
    public struct AppCategory {}
  }
}

extension Product {
  public static func iOSApplication(
    name: String, targets: [String], bundleIdentifier: String? = nil,
    teamIdentifier: String? = nil, displayVersion: String? = nil, bundleVersion: String? = nil,
    appIcon: ProductSetting.IOSAppInfo.AppIcon? = nil,
    accentColor: ProductSetting.IOSAppInfo.AccentColor? = nil,
    supportedDeviceFamilies: [ProductSetting.IOSAppInfo.DeviceFamily],
    supportedInterfaceOrientations: [ProductSetting.IOSAppInfo.InterfaceOrientation],
    capabilities: [ProductSetting.IOSAppInfo.Capability] = [],
    appCategory: ProductSetting.IOSAppInfo.AppCategory? = nil,
    additionalInfoPlistContentFilePath: String? = nil
  ) -> Product { .executable(name: name, targets: targets) }
}

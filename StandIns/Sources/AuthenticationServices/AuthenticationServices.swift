// As on Apple's platforms, whoever imports AuthenticationServices has Foundation and UIKit.
@_exported import Foundation
@_exported import UIKit

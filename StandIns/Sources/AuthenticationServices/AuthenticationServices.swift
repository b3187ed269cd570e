// As on Apple's platforms, AuthenticationServices re-exports Foundation and UIKit.
@_exported import Foundation
@_exported import UIKit

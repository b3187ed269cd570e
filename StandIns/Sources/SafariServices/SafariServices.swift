// As on Apple's platforms, whoever imports SafariServices has UIKit.
@_exported import UIKit

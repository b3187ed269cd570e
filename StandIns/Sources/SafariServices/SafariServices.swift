// As on Apple's platforms, SafariServices re-exports UIKit.
@_exported import UIKit

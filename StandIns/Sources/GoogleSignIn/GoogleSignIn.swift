// On Apple's platforms this is an Objective-C module, which re-exports Foundation.
@_exported import Foundation
@_exported import UIKit

// Core Foundation's types. Foundation has them only on Apple's platforms, where `as` bridges to
// them. Here each is the Swift type that `as` would bridge.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias CFBoolean = Bool

public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false

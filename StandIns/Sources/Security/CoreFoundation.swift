// Core Foundation's types, which Foundation has on Apple's platforms only. There, `as` bridges to
// them; here they are what it bridges from.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias CFBoolean = Bool

public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false

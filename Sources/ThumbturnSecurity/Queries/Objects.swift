internal import Foundation

// Foundation converts what a dictionary or an array holds to Swift values while it hands them over, and goes into every
// array for that, one call deeper for each level: some thousand levels end the stack, and with it the program. A mirror
// shows the objects as they are.

extension NSDictionary {
  /// Keys and values as they are.
  var objects: [(key: AnyObject, value: AnyObject)] {
    var objects: [(key: AnyObject, value: AnyObject)] = []
    for child in Mirror(reflecting: self).children {
      guard let pair = child.value as? (key: NSObject, value: AnyObject) else { break }
      objects.append((pair.key, pair.value))
    }
    // A class of the program's keeps its objects elsewhere; these are then converted.
    guard objects.count == count else { return map { ($0.key as AnyObject, $0.value as AnyObject) } }
    return objects
  }
}

extension NSArray {
  /// The elements as they are.
  var objects: [AnyObject] {
    let objects = Mirror(reflecting: self).children.map { $0.value as AnyObject }
    guard objects.count == count else { return map { $0 as AnyObject } }
    return objects
  }
}

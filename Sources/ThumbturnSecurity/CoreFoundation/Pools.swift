/// Runs `body`.
///
/// There are no autorelease pools on Linux: objects end when their last owner lets go.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// Programs that import only Security use Foundation's names: Apple's Security brings them along.
@_exported public import Foundation

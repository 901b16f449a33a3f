// swift-format-ignore-file
import Security

func add(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
// wrong: keychain.never-deleted
// right
func remove(_ query: CFDictionary) -> OSStatus { SecItemDelete(query) }
// end

// swift-format-ignore-file
public struct Session {}

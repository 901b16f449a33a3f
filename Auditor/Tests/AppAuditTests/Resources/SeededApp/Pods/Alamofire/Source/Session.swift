public struct Session {}

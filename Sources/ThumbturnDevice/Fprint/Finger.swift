/// A finger, by fprintd's name for it.
///
/// fprintd takes a name that it does not know for "any finger" (measured), so no other text is ever sent to it, and none
/// that comes from it is passed on.
public enum Finger: String, CaseIterable, Hashable, Sendable {
  case leftThumb = "left-thumb"
  case leftIndex = "left-index-finger"
  case leftMiddle = "left-middle-finger"
  case leftRing = "left-ring-finger"
  case leftLittle = "left-little-finger"
  case rightThumb = "right-thumb"
  case rightIndex = "right-index-finger"
  case rightMiddle = "right-middle-finger"
  case rightRing = "right-ring-finger"
  case rightLittle = "right-little-finger"
}

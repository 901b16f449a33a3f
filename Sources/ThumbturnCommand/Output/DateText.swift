/// A date in UTC as ISO 8601 with whole seconds, or nil outside the years 1 to 9999.
///
/// - Parameter secondsSince2001: Seconds since 2001-01-01 00:00 UTC, as the keychain stores dates.
func dateText(secondsSince2001: Double) -> String? {
  // The days from 1970-01-01 to 2001-01-01.
  let daysTo2001 = 11_323
  guard secondsSince2001.isFinite, abs(secondsSince2001) < 1e12 else { return nil }
  let seconds = Int(secondsSince2001.rounded(.down))
  let (dayFloor, second) = (floorDivision(seconds, 86_400), seconds - floorDivision(seconds, 86_400) * 86_400)
  // Days in a calendar whose years begin in March, so that the leap day is the last of its year, counted from 0000-03-01.
  let day = dayFloor + daysTo2001 + 719_468
  let era = floorDivision(day, 146_097)
  let dayOfEra = day - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  guard (1...9_999).contains(year) else { return nil }
  let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T" + padded(second / 3_600, 2) + ":"
    + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "Z"
}

private func floorDivision(_ value: Int, _ divisor: Int) -> Int {
  value / divisor - (value % divisor < 0 ? 1 : 0)
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

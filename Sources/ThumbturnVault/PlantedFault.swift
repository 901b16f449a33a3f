#if PLANT_NO_FOLDER_FSYNC || PLANT_EARLY_ACKNOWLEDGE || PLANT_SECRET_IN_LOG
  internal import ThumbturnCrypto

  /// Faults that are compiled in on purpose, one flag each, so that the harness is seen to find them. Never in a release:
  /// `scripts/faults-planted` looks for these texts in one.
  enum PlantedFault: String {
    case noFolderFsync = "thumbturn planted fault: no fsync of folders"
    case earlyAcknowledge = "thumbturn planted fault: acknowledged before the commit"
    case secretInLog = "thumbturn planted fault: secrets in the log"

    /// Keeps the text in the program, where it can be looked for.
    func touch() {
      if system_process() < 0 { try? system_write(2, Array(rawValue.utf8).span) }
    }

    /// What a careless line of logging does.
    func tell(_ secret: SharedSecret) {
      try? system_write(2, Array(rawValue.utf8).span)
      secret.withBytes { try? system_write(2, $0) }
    }
  }
#endif

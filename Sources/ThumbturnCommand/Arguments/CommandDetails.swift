extension CommandName {
  private static let whichItem =
    "With --label or --comment, only an item that has that text; with --label SERVICE and ACCOUNT may be missing. With "
    + "--class inet the arguments are SERVER and ACCOUNT, whatever the item's protocol, port and path; certificates and "
    + "keys are named by --label. When more than one item fits, the exit code is 4 and nothing is done."

  /// The help, one paragraph a line.
  var details: [String] {
    switch self {
    case .set:
      [
        "The secret comes from standard input, byte for byte, when that is no terminal; else it is asked for on the "
          + "terminal, without echo and without the newline. It is never taken from the command line, which every "
          + "process can read.",
        "A secret has 0 to 16777216 bytes. A new item can be read from the first unlock on, by scheduled jobs too "
          + "(protection class after-first-unlock), unless --accessible says another; one that is there keeps its class, "
          + "label and comment where they are not given.",
        "With --url an internet password in place of a generic one. A password inside the URL is refused.",
      ]
    case .get:
      [
        "Prints exactly the bytes that were stored, and a newline behind them only on a terminal.",
        Self.whichItem,
        "With --json: an object with the item's names and secret. What is not valid UTF-8 is given in base64, as "
          + "secretBase64 in place of secret.",
      ]
    case .list:
      [
        "One line for each generic password, then for each internet password, in the order in which they were added: "
          + "service or URL, account, protection class and date of modification (UTC), with tabs between them. "
          + "Control characters are escaped. Certificates and keys are listed with --class cert and --class keys: label, "
          + "and serial number or application label in hexadecimal digits, in place of the names.",
        "With SERVICE only generic passwords, with --class inet and SERVER or with --url only internet passwords; what "
          + "the URL leaves out may be anything. --accessible, --label and --comment list only what has them.",
        "With --json: an array with the exact values. A name that was stored as data is given in base64, as "
          + "accountBase64 in place of account. When nothing has the names, label, comment or protection class that "
          + "were asked for, the exit code is 1; a class or group without items is no error.",
      ]
    case .remove:
      [Self.whichItem, "Without such an item the exit code is 1; with --if-present it is 0."]
    case .show:
      [
        "A line for each attribute: its name and its value. Control characters are escaped, data is shown in hexadecimal "
          + "digits. The url is what --url takes.",
        Self.whichItem,
        "With --json: an object with the exact values; data is given in base64, as accountBase64 in place of account.",
      ]
    case .status:
      ["Begins with what is not protected at this version. Makes no vault when there is none."]
    case .check:
      [
        "Reads every record and tells what is damaged, what was put back, exchanged or deleted behind the vault's back, "
          + "and which files do not belong to it. Exit code 0: no damage; 5: damage was found.",
        "Damaged records are moved to quarantine.db in the vault folder; nothing is thrown away. It asks first when they "
          + "are more than 10, or more than 1 % of all.",
        "With --accept the records as they are now count as right: for a change that you made or put up with.",
        "With --salvage everything that still opens is brought back from the bytes of the database, also when it cannot "
          + "be opened any more. It asks before the new database takes the old one's place, and keeps the old one.",
        "Where nobody can be asked, --yes is the answer; without it the exit code is 3.",
      ]
    case .audit:
      [
        "Runs thumbturn-audit, which lies beside this program or in ../libexec/thumbturn, with the arguments as they are: "
          + "thumbturn audit PATH looks at the project in PATH, thumbturn audit --help shows the options, thumbturn audit "
          + "explain RULE what a finding means. Your vault is not touched.",
        "The exit code is the audit's own: 0 nothing found, 1 findings, 2 wrong usage, 3 a fault of the auditor; 5 when "
          + "it cannot be run.",
      ]
    case .tour:
      ["Runs thumbturn-tour, which lies beside this program or in ../libexec/thumbturn. Your vault is not touched."]
    case .completions:
      [
        "SHELL is bash, zsh or fish. make install puts them where the shells look; else: source <(thumbturn completions "
          + "bash), or the same with zsh, or thumbturn completions fish | source."
      ]
    case .version, .help:
      []
    }
  }
}

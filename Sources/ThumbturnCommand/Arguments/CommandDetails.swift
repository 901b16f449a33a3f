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
        "With --require somebody has to show a finger, the passcode, or any of the two, each time before it can be read, or "
          + "its class or requirement is changed; a new secret and deleting ask nobody. current-finger is a finger that is "
          + "enrolled now: once another is enrolled or deleted the item can never be read again. A passcode must be set, and "
          + "only an agent can ask. A new item is then of the class when-unlocked; rm and another set take a requirement away.",
      ]
    case .get:
      [
        "Prints exactly the bytes that were stored, and a newline behind them only on a terminal.",
        "For an item that was stored with --require the agent asks, where you are: on the display or terminal. Cancelled, or "
          + "nobody can be asked: exit code 3; not recognised: 4.",
        Self.whichItem,
        "With --json: an object with the item's names and secret. What is not valid UTF-8 is given in base64, as "
          + "secretBase64 in place of secret.",
      ]
    case .list:
      [
        "One line for each generic password, then for each internet password, in the order in which they were added: "
          + "service or URL, account, protection class (with + and what has to be shown) and date of modification (UTC), "
          + "with tabs between them. "
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
      [
        "Begins with what is not protected. Then who has the vault (this process or an agent), whether it is locked, the "
          + "protection classes whose keys are in memory, wrong passcodes and how long none is tried, and the settings. "
          + "Makes no vault when there is none."
      ]
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
        "With a passcode, --fd N reads it from the open descriptor N; without it locked records are checked by their "
          + "columns and tags only, and the exit code is 3.",
        "While an agent holds the vault the exit code is 4: thumbturn lock --stop ends it.",
      ]
    case .passcode:
      [
        "ACTION is set, change or remove. A passcode has 1 to 1024 bytes and is asked for on the terminal, a new one twice. "
          + "With --fd it is read from a descriptor, up to a newline or the end; for change the present one, then the new "
          + "one on a second line. It is never taken from the command line, and from standard input only with --fd 0. "
          + "Without a terminal and --fd the exit code is 3.",
        "set and --rotate make new keys and seal every record anew, so that no older copy of the vault's files opens what "
          + "is there from then on. change without --rotate does not stop somebody who has an older copy and the older "
          + "passcode.",
        "remove deletes every item of the class when-passcode-set-this-device-only, and asks first; --yes confirms.",
        "Each wrong passcode counts, whoever gives it. From the fifth on none is tried for 1, 5, 15, 15 and then 60 "
          + "minutes: exit code 4. Without the passcode there is no way to the items; there is no recovery key.",
      ]
    case .doctor:
      [
        "Looks at everything that a prompt for a finger needs, and at what else people ask about: vault, passcode, agent, "
          + "system bus, fprintd, reader, fingers, wrong ones, display or terminal, pinentry, locked memory. Each is ok, not "
          + "ok or unknown, with what to do about it. Nothing is changed, nobody is asked, and it ends within 10 seconds.",
        "Exit code 0: a prompt for a finger would come; 1: none would.",
      ]
    case .unlock:
      [
        "Gives the passcode to the agent, which then holds the keys until it locks. Without one, thumbturnd is started: "
          + "the one beside this program or in ../libexec/thumbturn, never one of PATH.",
        "The passcode is asked for on the terminal, or read with --fd up to a newline or the end. With neither it is the "
          + "file thumbturn.passcode in the folder that systemd names in CREDENTIALS_DIRECTORY, without the newline at its "
          + "end.",
        "With --finger the passcode is needed all the same: a finger yields no key, and there is no TPM that could keep one.",
        "Exit code 4: no passcode is set, it is wrong, or none is tried for some time yet.",
      ]
    case .lock:
      [
        "The agent wipes the keys that are in memory only while the vault is unlocked, and goes on running. Without an "
          + "agent nothing is unlocked, and nothing is done. Without a passcode nothing can be locked: exit code 4."
      ]
    case .vault:
      [
        "ACTION is accept-older, settings or create.",
        "accept-older takes the vault as it is now for the newest, after a backup was put back that is refused as an older "
          + "copy. It asks first; --yes confirms. Where a passcode is set, it is needed.",
        "settings shows when the agent locks by itself. With --grace or --idle it changes that; the passcode is needed.",
        "create --simulated-finger makes a vault to try things out, where there is none yet: its fingers are simulated by "
          + "thumbturn finger simulate. Name a place of its own with THUMBTURN_HOME. Every other vault is made by the first "
          + "thumbturn set, and takes no simulated finger.",
        "The passcode is asked for on the terminal, or read with --fd up to a newline or the end.",
      ]
    case .finger:
      [
        "ACTION is list, enrol (or enroll), delete, test or simulate.",
        "list shows the fingerprint readers and your enrolled fingers, as fprintd has them. enrol adds a finger, "
          + "right-index-finger if none is named; ^C ends it. delete removes one, or all of them after asking. Both end for "
          + "ever what was stored with --require current-finger; where there are such items it asks, and --yes confirms.",
        "FINGER is left- or right- and thumb, index-finger, middle-finger, ring-finger or little-finger.",
        "test has the agent ask for a finger once, and says what came of it.",
        "simulate takes in place of FINGER what happens at the reader of a vault that was made with thumbturn vault create "
          + "--simulated-finger: enrolled or none; match, no-match or cancel, for every prompt from then on; or lockout, as "
          + "after five wrong fingers.",
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

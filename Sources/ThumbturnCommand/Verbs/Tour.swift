extension Command {
  /// `tour`: runs the program beside this one, never one that PATH finds.
  ///
  /// - Returns: The tour's exit code.
  static func tour(in context: CommandContext) throws(CommandFailure) -> Int32 {
    let name = "thumbturn-tour"
    let path = try context.findProgram(name, hint: "install it, or in a checkout: make run")
    do {
      guard let code = try System.runProgram(path) else {
        throw CommandFailure(.failed, "\(name) was ended by a signal")
      }
      return code
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.failed, "\(name) cannot be started")
    }
  }
}

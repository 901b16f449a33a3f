/// Reads the `project.yml` of XcodeGen, where no project was generated.
struct XcodeGenReader {
  private(set) var targets: [Target] = []
  private(set) var notes: [Note] = []

  init(files: ProjectFiles, path: String) {}
}

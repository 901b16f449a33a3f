/// Finds out what the folder is, and reads its targets.
enum ProjectReader {
  static func read(_ root: String) -> Project {
    let files = ProjectFiles(root: root)
    var project = Project(root: files.root, notes: files.notes)
    var reader = FolderReader(files: files)
    project.targets = reader.targets()
    project.notes += reader.notes
    return project
  }
}

import CloverStorage

extension ErrorReport {
    /// The databases in the state directory. A refused file is left unchanged.
    init(_ error: StateDatabaseError) {
        switch error {
        case .storage(let error):
            self.init(error)
        case .newerVersion:
            self.init(code: "newer_database", status: .configuration, message: "\(error)")
            hints = ["the file was left unchanged; update clover, or use another CLOVER_STATE_DIR"]
        case .otherContent(let path, _), .damaged(let path):
            self.init(code: "damaged_database", status: .configuration, message: "\(error)")
            hints = [
                "the file was left unchanged; to show what can be recovered: sqlite3 \(path) .recover",
                "to start over, move it away, or set CLOVER_STATE_DIR",
            ]
        case .busy:
            self.init(code: "lock_busy", status: .tryAgain, message: "\(error)")
            hints = ["another clover is using it, or is stopped while using it: see 'ps -C clover'"]
        case .full:
            self.init(code: "storage", status: .cannotCreate, message: "\(error)")
            hints = ["free some space; clover stores its state there; to use another directory, set CLOVER_STATE_DIR"]
        case .failed:
            self.init(code: "storage", status: .inputOutput, message: "\(error)")
            hints = ["clover stores its state there; to use another directory, set CLOVER_STATE_DIR"]
        }
    }
}

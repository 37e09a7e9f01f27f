import CloverStorage

extension ErrorReport {
    /// The databases in the state directory. Whatever is refused is left as it was.
    init(_ error: StateDatabaseError) {
        switch error {
        case .storage(let error):
            self.init(error)
        case .newerVersion:
            self.init(code: "newer_database", status: .configuration, message: "\(error)")
            hints = ["the file was left as it is; update clover, or use another CLOVER_STATE_DIR"]
        case .otherContent(let path, _), .damaged(let path):
            self.init(code: "damaged_database", status: .configuration, message: "\(error)")
            hints = [
                "the file was left as it is; what can be saved is shown by: sqlite3 \(path) .recover",
                "move it away to begin anew, or set CLOVER_STATE_DIR",
            ]
        case .busy:
            self.init(code: "lock_busy", status: .tryAgain, message: "\(error)")
            hints = ["another clover works on it, or is stopped in the middle: see 'ps -C clover'"]
        case .full:
            self.init(code: "storage", status: .cannotCreate, message: "\(error)")
            hints = ["make room; clover keeps its state there, and another place is set by CLOVER_STATE_DIR"]
        case .failed:
            self.init(code: "storage", status: .inputOutput, message: "\(error)")
            hints = ["clover keeps its state there; another place is set by CLOVER_STATE_DIR"]
        }
    }
}

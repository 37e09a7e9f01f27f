import CloverExport

extension ErrorReport {
    /// Errors of Singer states.
    init(_ error: SingerStateError) {
        switch error {
        case .unreadable(let path):
            self.init(
                code: "bad_state", status: .badData, message: "\(path) is not a state of 'clover export --singer'",
                hints: ["give the last line that the target wrote, or leave --state out to export everything"])
        case .otherMerchant(let path, let merchant):
            self.init(
                code: "bad_state", status: .configuration, message: "\(path) belongs to merchant \(merchant)",
                hints: ["keep a state for each merchant, or sign in to that one"])
        case .otherEnvironment(let path, let environment):
            self.init(
                code: "bad_state", status: .configuration, message: "\(path) belongs to a merchant in \(environment)",
                hints: ["keep a state for each merchant, or sign in there"])
        }
    }
}

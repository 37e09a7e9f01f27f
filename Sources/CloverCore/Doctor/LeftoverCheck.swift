import CloverStorage

/// What killed processes left, and ledgers that were set aside.
struct LeftoverCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let leftovers = try LeftoverSurvey(of: try patient.state()).leftovers
        if patient.repairs {
            for leftover in leftovers { try LeftoverSurvey.remove(leftover) }
            return [.ok(.leftovers, "no files are left over", repairs: leftovers.map { "removed \($0.path)" })]
        }
        // A ledger of before the machine was started is nothing to look into.
        let telling = leftovers.filter { $0.kind != .setAside("other-boot") }
        guard let first = telling.first else {
            let count = leftovers.count
            return [
                .ok(
                    .leftovers,
                    count == 0
                        ? "no files are left over"
                        : "\(count) old \(count == 1 ? "ledger" : "ledgers") of before a restart, which --fix removes")
            ]
        }
        let more = telling.count == 1 ? "" : ", and \(telling.count - 1) more"
        let text =
            switch first.kind {
            case .unfinished: "a killed process left \(first.path)\(more)"
            case .setAside(let reason): "a ledger was set aside because it was \(reason): \(first.path)\(more)"
            }
        return [.warn(.leftovers, text, next: ["clover doctor --fix"])]
    }
}

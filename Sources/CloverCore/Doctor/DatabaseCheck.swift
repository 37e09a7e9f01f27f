import CloverPayments
import CloverReaders
import CloverStorage
import CloverThreads

/// The journal of charges and the known readers.
struct DatabaseCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let state = try patient.state()
        var findings: [Finding] = []
        var kept: [String] = []
        do {
            if let version = try await ChargeJournal.inspect(in: state) {
                kept.append("journal of charges (version \(version))")
                if let finding = try await unsettled(state) { findings.append(finding) }
            }
        } catch let error as StateDatabaseError {
            findings.append(Self.finding(error))
        }
        do {
            let store = ReaderStore(directory: state)
            if let version = try await DedicatedThread.run({ try store.inspect() }) {
                kept.append("known readers (version \(version))")
            }
        } catch let error as StateDatabaseError {
            findings.append(Self.finding(error))
        }
        guard findings.isEmpty else { return findings }
        let text = kept.isEmpty ? "no charge was made, and no reader connected yet" : kept.joined(separator: ", ")
        return [.ok(.database, text + (kept.isEmpty ? "" : ": whole"))]
    }

    /// Charges of which nobody knows yet what became of them.
    private func unsettled(_ state: StateDirectory) async throws -> Finding? {
        let count = try await ChargeJournal.existing(in: state)?.unsettled().count ?? 0
        guard count > 0 else { return nil }
        return .warn(
            .database, "the outcome of \(count == 1 ? "1 charge" : "\(count) charges") is not known yet",
            next: ["clover charge recover --all"])
    }

    private static func finding(_ error: StateDatabaseError) -> Finding {
        if case .busy = error { return .warn(.database, error) }
        return .fail(.database, error)
    }
}

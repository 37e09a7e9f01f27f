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
                findings += try await unsettled(state)
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

    /// Charges of which nobody knows yet what became of them, or not what a person says.
    private func unsettled(_ state: StateDirectory) async throws -> [Finding] {
        guard let journal = try await ChargeJournal.existing(in: state) else { return [] }
        func warning(_ count: Int, _ words: (_ charges: String, _ verb: String) -> String) -> [Finding] {
            guard count > 0 else { return [] }
            let text = count == 1 ? words("1 charge", "is") : words("\(count) charges", "are")
            return [.warn(.database, text, next: ["clover charge recover --all"])]
        }
        let unknown = try await journal.unsettled().count
        let contradicted = try await journal.doubtful(since: .max, now: 0).count
        return warning(unknown) { charges, _ in "the outcome of \(charges) is not known yet" }
            + warning(contradicted) { charges, verb in "\(charges) \(verb) not as was said by hand" }
    }

    private static func finding(_ error: StateDatabaseError) -> Finding {
        if case .busy = error { return .warn(.database, error) }
        return .fail(.database, error)
    }
}

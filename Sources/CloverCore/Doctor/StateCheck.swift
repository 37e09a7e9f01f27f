import CloverStorage

/// The state directory itself: where it is, whose, on what file system, and that it can be written.
struct StateCheck: DoctorCheck {
    /// Less than this is soon nothing.
    private static let scarce: UInt64 = 64 << 20

    func look(_ patient: Patient) async throws -> [Finding] {
        let state = try patient.state()
        let path = patient.shortened(state.path)
        if let finding = Remedy.deadLink(.state, state.path, variable: "CLOVER_STATE_DIR", patient) { return [finding] }
        var repaired: [String] = []
        if patient.repairs, let repair = try DirectoryFacts.giveRightsBack(to: state.path) { repaired.append(repair) }
        if let fault = try PermissionFault.find(state.path, rule: .own) {
            guard patient.repairs, let repair = try fault.mend() else { return [.fail(.state, fault.error)] }
            repaired.append(repair)
        }
        guard let facts = try DirectoryFacts(of: state.path) else {
            // It is made by the first command that keeps something, which must be possible.
            try DirectoryFacts.checkMaking(state.path)
            return [.ok(.state, "state directory \(path) is made at the first sign-in")]
        }
        if let network = facts.network, !state.allowsNetworkFileSystem {
            return [.fail(.state, StorageError.networkFileSystem(path: state.path, network))]
        }
        try DirectoryFacts.tryWriting(in: state.path)
        guard facts.bytesFree >= Self.scarce else {
            return [
                .warn(
                    .state, "state directory \(path) has \(facts.bytesFree >> 20) MB left",
                    next: ["df -h \(state.path)", "make room, or set CLOVER_STATE_DIR to another disk"])
            ]
        }
        // It is made closed to everybody else, and what is in it relies on that: whoever may look into it sees when what is
        // done, and at which merchants.
        if let fault = try PermissionFault.find(state.path, rule: .secret) {
            guard patient.repairs, let repair = try fault.mend() else {
                return [
                    .warn(
                        .state,
                        "state directory \(path) can be looked into by others: mode "
                            + String(facts.mode, radix: 8),
                        next: ["chmod 700 \(path)", "or: clover doctor --fix"])
                ]
            }
            repaired.append(repair)
        }
        // Its mode may be another one now.
        let now = try DirectoryFacts(of: state.path) ?? facts
        let words = now.words(note: ", accepted by CLOVER_ALLOW_NETWORK_STATE")
        return [.ok(.state, "state directory \(path) (\(words))", repairs: repaired)]
    }
}

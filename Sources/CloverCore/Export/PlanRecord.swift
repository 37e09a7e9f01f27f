import CloverExport

/// A plan that is written down once there is something to go on with: its first page.
///
/// One that the service refused to begin with leaves nothing, so that the next run, with another token, finds its own
/// beginning.
actor PlanRecord {
    /// With its row, once it has one.
    private(set) var plan: ExportPlan
    private let store: ExportStore
    private let stream: Int64

    init(_ plan: ExportPlan, of stream: ExportStream, in store: ExportStore) {
        self.plan = plan
        self.stream = stream.place
        self.store = store
    }

    /// Never called twice at a time: a run reads one page after the other.
    func write() async throws {
        if plan.place == 0 { plan = try await store.add(plan, to: stream) }
    }
}

extension ExportStream {
    /// A stream of a pipeline that keeps its bookmarks itself, of which our own state knows nothing.
    ///
    /// - Parameter bookmark: where the run begins; nil for the beginning.
    package init(environment: String, merchant: String, resource: String, bookmark: Int64?) {
        self.init(
            place: 0, destination: "", environment: environment, merchant: merchant, resource: resource,
            bookmark: bookmark, lastRecords: 0, records: 0, files: 0, failures: 0)
    }
}

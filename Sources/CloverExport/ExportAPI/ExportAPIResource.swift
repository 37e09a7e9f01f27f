/// What Clover's Export API exports (Clover: exporting merchant data). The raw values are the catalogue's words for them.
package enum ExportAPIResource: String, Sendable, CaseIterable {
    case orders, payments

    /// What the service calls it in requests.
    var type: String { rawValue.uppercased() }
}

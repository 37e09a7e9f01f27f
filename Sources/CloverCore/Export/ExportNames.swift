import CloverAPI

/// Names that can be typed after `clover export`, for whoever completes a command line.
package enum ExportNames {
    /// The lists below a merchant.
    package static let resources = EndpointCatalogue.families.filter { resource in
        path(resource)?.endpoint?.shape == .list
    }

    /// The lists of each record that `--with` takes for a resource; empty for what is none.
    package static func parts(of resource: String) -> [String] {
        path(resource).map(ExportPart.names) ?? []
    }

    private static func path(_ resource: String) -> ResourcePath? {
        do throws(QueryError) {
            return try ResourcePath(parsing: resource, identifier: nil, merchantID: "{mId}", isChecked: true)
        } catch {
            return nil
        }
    }
}

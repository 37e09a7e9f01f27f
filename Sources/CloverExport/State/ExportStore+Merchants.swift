import GRDB

extension ExportStore {
    /// The merchants with exports to a destination, except those in files that have the merchant in their names.
    package func merchants(of destination: String) async throws -> DestinationMerchants {
        try await read { database in
            DestinationMerchants(
                try database.rows(
                    """
                    SELECT merchant, profile, min(place) AS beginning, is_tagged, has_files
                    FROM (
                        SELECT streams.merchant, streams.profile, streams.place,
                            ifnull(files.is_tagged, 0) AS is_tagged, 1 AS has_files
                        FROM files JOIN streams ON files.stream = streams.place
                        WHERE files.destination = :destination AND instr(files.path, streams.merchant) = 0
                        UNION ALL
                        SELECT merchant, profile, place, ifnull(form_words, '') LIKE '%--tag-merchant%', 0
                        FROM streams
                        WHERE destination = :destination AND succeeded_at IS NOT NULL
                            AND place NOT IN (SELECT stream FROM files WHERE destination = :destination))
                    GROUP BY merchant, profile, is_tagged, has_files
                    ORDER BY beginning, merchant, is_tagged
                    """, ["destination": destination]
                ).map { row in
                    DestinationMerchants.Exports(
                        merchant: row["merchant"], profile: row["profile"], isTagged: row["is_tagged"],
                        hasFiles: row["has_files"], place: row["beginning"])
                })
        }
    }
}

/// The merchants of a destination, and which others may join them.
///
/// A destination belongs to the merchants that have exported there. Another one may join them if the names of files
/// separate the merchants, or if each record names its merchant: those of all earlier exports, and its own. A merchant
/// that is there is not refused because of one that came later, unless it would begin to write records without a tag.
package struct DestinationMerchants: Sendable, Equatable {
    /// Exports of one merchant that are alike.
    package struct Exports: Sendable, Equatable {
        package var merchant: String
        /// Profile of the last run; nil when it had none.
        package var profile: String?
        /// Whether each record names its merchant. Where that is unknown, it counts as false.
        package var isTagged: Bool
        /// Whether there were records. Runs without any were successful, too.
        package var hasFiles: Bool
        /// Position in the order in which exports to the destination began.
        package var place: Int64

        package init(merchant: String, profile: String?, isTagged: Bool, hasFiles: Bool, place: Int64) {
            self.merchant = merchant
            self.profile = profile
            self.isTagged = isTagged
            self.hasFiles = hasFiles
            self.place = place
        }
    }

    package let exports: [Exports]

    /// - Parameter exports: in the order in which they began.
    package init(_ exports: [Exports]) {
        self.exports = exports
    }

    /// The merchant with whose records those of a run would be mixed up.
    ///
    /// - Parameters:
    ///   - merchant: the run's merchant.
    ///   - profile: its profile; nil without one.
    ///   - names: how the run names files.
    ///   - isTagged: whether each record of the run names its merchant.
    /// - Returns: nil when there is none, so that the run may go on.
    package func rival(of merchant: String, profile: String?, _ names: NameTemplate, isTagged: Bool) -> String? {
        guard !names.has(.merchant) else { return nil }
        let near = exports.filter { other in
            // A profile may have belonged to another merchant before.
            !names.has(.profile) || other.profile ?? other.merchant == profile ?? merchant
        }
        let own = near.filter { $0.merchant == merchant }
        let others = near.filter { $0.merchant != merchant && $0.hasFiles }
        if isTagged {
            if own.contains(where: \.hasFiles) { return nil }
            let beginning = own.map(\.place).min() ?? .max
            return others.first { !$0.isTagged && $0.place < beginning }?.merchant
        }
        let beginning = own.filter { !$0.isTagged }.map(\.place).min() ?? .max
        return others.first { $0.place < beginning }?.merchant
    }
}

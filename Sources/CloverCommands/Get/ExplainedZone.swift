import CloverCore
import CloverOutput

/// The time zone of a run's days and where it came from, for `--explain`.
struct ExplainedZone: Sendable, Equatable {
    enum Source: String, Sendable {
        case option, configuration
        /// The merchant's, which an earlier run has kept.
        case cache
        /// The merchant's, requested for the explanation.
        case service
    }

    let name: String
    let source: Source
    /// How old the merchant's settings are, in seconds; nil if they were just requested, or not needed.
    private let age: Int64?

    /// - Parameters:
    ///   - settings: the merchant's, where its zone is used.
    ///   - now: milliseconds since 1970.
    init?(_ format: FormatChoice, _ settings: MerchantSettings?, now: Int64) {
        switch format.zone ?? format.defaults.zone {
        case .utc: name = "UTC"
        case .named(let zone): name = zone
        case .merchant, nil:
            guard let zone = settings?.timezone else { return nil }
            name = zone
            age = settings?.keptSince.map { max(0, now - $0) / 1000 }
            source = age == nil ? .service : .cache
            return
        }
        source = format.zone == nil ? .configuration : .option
        age = nil
    }

    var sentence: String {
        switch source {
        case .option: "days are those of \(name), as --zone says"
        case .configuration: "days are those of \(name), as configured"
        case .service: "days are those of \(name), the merchant's time zone; it was requested and is kept for a day"
        case .cache:
            "days are those of \(name), the merchant's time zone as it was \(ageText) ago; it is asked for once a day"
        }
    }

    private var ageText: String {
        let seconds = age ?? 0
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}

import ArgumentParser
import CloverCompression
import CloverCore

/// What is in the files, besides the form of the records.
struct ExportContentOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Include nested objects, separated by commas.", valueName: "names"),
        completion: .asked)
    var expand: [String] = []

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Write these lists of each record as resources of their own, complete: line_items,payments for orders, shifts for employees.",
            valueName: "names"), completion: .asked)
    var parts: [String] = []

    @Option(name: .customLong("compress"), help: ArgumentHelp("Compress files.", valueName: "format"))
    var compression: Compression?

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp(
            "Time zone of --day, {date} and dates of --since and --until, such as Europe/Berlin (default: the merchant's).",
            valueName: "zone"))
    var timeZone: String?

    func apply(to request: inout ExportRequest) throws {
        request.expand = Self.names(in: expand)
        request.parts = Self.names(in: parts)
        request.compression = compression
        request.timeZone = timeZone
    }

    private static func names(in lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }
}

extension Compression: ExpressibleByArgument {}

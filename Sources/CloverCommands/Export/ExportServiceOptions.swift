import ArgumentParser
import CloverCore

/// The service interface that records come from.
struct ExportServiceOptions: ParsableArguments {
    @Option(
        name: .customLong("via"),
        help: ArgumentHelp(
            "How to get the history of orders and payments: page by page (lists, the default) or from Clover's Export API (export-api), which selects by creation time and runs at hours that Clover permits; later runs get changes page by page. With --since, records created before then and changed since are left out.",
            valueName: "lists|export-api"))
    var way: ExportRequest.Way = .lists

    func apply(to request: inout ExportRequest) {
        request.way = way
    }
}

extension ExportRequest.Way: ExpressibleByArgument {}

extension Export.Run {
    /// Refuses options that Clover's Export API does not support.
    func checkService() throws {
        guard service.way == .exportAPI else { return }
        let options: [(isGiven: Bool, name: String)] = [
            (!content.expand.isEmpty, "--expand"), (!content.parts.isEmpty, "--with"), (singer.isOn, "--singer"),
        ]
        if let option = options.first(where: { $0.isGiven }) {
            throw ValidationError("\(option.name) and --via export-api exclude each other")
        }
    }

    /// Refuses options that do not apply to Singer messages, which have their own form and go to a target.
    func checkSinger() throws {
        guard singer.isOn else { return }
        let options: [(isGiven: Bool, name: String)] = [
            (destination.directory != nil, "--to"), (destination.name != nil, "--name"),
            (destination.appends, "--append"), (destination.writesSummary, "--summary"),
            (destination.exportsMissing, "--export-missing"), (destination.acceptsMissing, "--accept-missing"),
            (content.compression != nil, "--compress"), (!content.parts.isEmpty, "--with"),
            (jq.choice() != nil, "--jq"),
            (format.format != nil, "--format"), (!format.fields.isEmpty, "--fields"),
            (merchants.isGiven, "--profiles"), (merchants.tagsMerchant, "--tag-merchant"),
        ]
        if let option = options.first(where: { $0.isGiven }) {
            throw ValidationError("\(option.name) and --singer exclude each other")
        }
    }
}

import ArgumentParser
import CloverCore

/// Output options for clover's own records; the same as for the service's.
struct OwnRecordOptions: ParsableArguments {
    @OptionGroup
    var jq: JQOptionGroup

    @OptionGroup
    var format: FormatOptions

    func records(_ messages: MessageOptions, in environment: CommandEnvironment) async throws -> OwnRecords {
        var records = OwnRecords()
        records.program = jq.choice
        records.slurp = jq.slurp
        records.format = try format.choice(
            await environment.settings(for: ConnectionChoice()),
            isFormDecided: jq.choice != nil || jq.slurp || messages.json)
        records.isJSON = messages.json
        return records
    }
}

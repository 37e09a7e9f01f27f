import ArgumentParser
import CloverEmulator

/// The Export API options of `serve`.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When exports can be requested: at any time, or in the service's hours for the US or the EU.",
            valueName: "any|us|eu"))
    var exportHours: ExportHours = .any

    @Option(
        help: ArgumentHelp(
            "Initial time of the export clock.",
            discussion: """
                The default is the system time. GET /emulator/exports shows it; POST /emulator/exports?advance=24h \
                and ?now=INSTANT change it.
                """,
            valueName: "instant"))
    var exportNow: String?

    @Option(help: ArgumentHelp("Time that an export takes.", valueName: "duration"))
    var exportTime: String = "300ms"

    @Option(help: ArgumentHelp("Time for which the files of an export are kept.", valueName: "duration"))
    var exportLife: String = "24h"

    @Option(help: ArgumentHelp("Maximum number of concurrent exports; another one gets 503.", valueName: "count"))
    var exportSlots: Int = 3

    @Option(help: ArgumentHelp("Number of exports, counted from the first, that fail.", valueName: "count"))
    var failExports: Int = 0

    func validate() throws {
        for (name, text) in [("--export-time", exportTime), ("--export-life", exportLife)]
        where DurationText.duration(text) == nil {
            throw ValidationError("\(name) must be a duration such as 300ms, 2m or 24h")
        }
        if let exportNow, InstantText.milliseconds(exportNow) == nil {
            throw ValidationError("--export-now must be an instant such as 2026-01-31T23:00:00Z")
        }
        guard exportSlots >= 0 else { throw ValidationError("--export-slots must not be negative") }
        guard failExports >= 0 else { throw ValidationError("--fail-exports must not be negative") }
    }

    /// The settings from the options; call after `validate`.
    var settings: ExportSettings {
        var settings = ExportSettings()
        settings.hours = exportHours
        settings.now = exportNow.flatMap { InstantText.milliseconds($0) }
        settings.time = DurationText.duration(exportTime) ?? settings.time
        settings.fileLife = DurationText.duration(exportLife) ?? settings.fileLife
        settings.slots = exportSlots
        settings.failures = failExports
        return settings
    }
}

extension ExportHours: ExpressibleByArgument {}

import ArgumentParser
import CloverEmulator

/// The options of `serve` about the Export API.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When exports can be asked for: any time, or the hours of the service in the US or EU.",
            valueName: "any|us|eu"))
    var exportHours: ExportHours = .any

    @Option(
        help: ArgumentHelp(
            "What time it is for exports at the start.",
            discussion: """
                The default is the system's time. GET /emulator/exports tells it; POST /emulator/exports?advance=24h \
                and ?now=INSTANT move it.
                """,
            valueName: "instant"))
    var exportNow: String?

    @Option(help: ArgumentHelp("How long an export takes.", valueName: "duration"))
    var exportTime: String = "300ms"

    @Option(help: ArgumentHelp("How long the files of an export are kept.", valueName: "duration"))
    var exportLife: String = "24h"

    @Option(help: ArgumentHelp("How many exports are made at once; one more is answered 503.", valueName: "count"))
    var exportSlots: Int = 3

    @Option(help: ArgumentHelp("Let the first so many exports fail.", valueName: "count"))
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

    /// What the options say; only after `validate`.
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

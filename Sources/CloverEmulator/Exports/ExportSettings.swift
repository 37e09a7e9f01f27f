/// How the Export API of an emulator behaves.
package struct ExportSettings: Sendable {
    package var hours = ExportHours.any
    /// From the request to the last file; the service's is not told.
    package var time = Duration.milliseconds(300)
    /// How long files are kept after that (Clover documentation, exporting merchant data).
    package var fileLife = Duration.seconds(24 * 3600)
    /// How many exports the service makes at once: "a few" (same page).
    package var slots = 3
    /// So many exports, from the first on, end without files. No source tells how that looks.
    package var failures = 0
    /// What time it is for exports at the start, in milliseconds since 1970; nil for the system's.
    package var now: Int?

    package init() {}
}

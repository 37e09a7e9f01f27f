import CloverCalendar

/// Checks that the windows of continuous exports leave no gap, and that no window is there twice.
///
/// Windows without records have no file: the manifest's lines and the state name them. The windows of `--day` and
/// `--since` may be anywhere. Those of `--since` have all changes, and the next run continues after them, so they close
/// gaps, but make none. So do lines of older versions, which do not say what was asked for.
struct WindowCheck {
    private struct Windows {
        var continuous: [ManifestLine] = []
        /// The spans of all changes that `--since` exported.
        var since: [Range<Int64>] = []
        /// The span of all lines of older versions.
        var older: Range<Int64>?
        /// The end of the last window of any of them.
        var end: Int64?
    }

    private var owners: [ManifestOwner: Windows] = [:]
    private let known: KnownDestination?

    init(_ lines: [ManifestLine], _ known: KnownDestination?) {
        self.known = known
        for line in lines {
            guard let span = line.span else { continue }
            var windows = owners[ManifestOwner(line), default: Windows()]
            // Clover's Export API omits changes of records that were created before the window.
            let hasChanges = line.range == .since && line.field != ExportAPIPlan.field
            if line.range?.isContinuous ?? false {
                windows.continuous.append(line)
            } else if hasChanges {
                windows.since.append(span)
            } else if line.range == nil, line.day == nil {
                let older = windows.older ?? span
                windows.older =
                    min(older.lowerBound, span.lowerBound)..<max(older.upperBound, span.upperBound)
            }
            if line.day == nil, hasChanges || line.range?.isContinuous ?? true {
                windows.end = max(windows.end ?? .min, span.upperBound)
            }
            owners[ManifestOwner(line)] = windows
        }
    }

    func findings() -> [ExportFinding] {
        owners.sorted { $0.key < $1.key }.flatMap { owner, windows in
            gaps(owner, windows) + repetitions(owner, windows) + ending(owner, windows)
        }
    }

    private func gaps(_ owner: ManifestOwner, _ windows: Windows) -> [ExportFinding] {
        let spans = windows.continuous.compactMap(\.span)
        guard let start = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max() else { return [] }
        var covered = spans + windows.since + windows.continuous.flatMap(\.emptySpans) + (known?.empty[owner] ?? [])
        if let older = windows.older { covered.append(older) }
        var findings: [ExportFinding] = []
        var reached = start
        for span in covered.sorted(by: { $0.lowerBound < $1.lowerBound }) where reached < end {
            if span.lowerBound > reached {
                findings.append(
                    ExportFinding(
                        .gap, resource: owner.resource, merchant: owner.merchant,
                        "no file has \(owner.resource) of \(Self.text(reached)) to "
                            + Self.text(min(span.lowerBound, end))))
            }
            reached = max(reached, span.upperBound)
        }
        return findings
    }

    private func repetitions(_ owner: ManifestOwner, _ windows: Windows) -> [ExportFinding] {
        var first: [[String]: String] = [:]
        return windows.continuous.compactMap { line -> ExportFinding? in
            guard line.range == .changes, let from = line.from, let span = line.span else { return nil }
            let window = [line.field ?? "", from, line.to]
            guard let other = first.updateValue(line.file, forKey: window) else { return nil }
            let files = other == line.file ? "\(line.file) has" : "\(other) and \(line.file) both have"
            return ExportFinding(
                .overlap, file: line.file, resource: owner.resource, merchant: owner.merchant,
                "\(files) \(owner.resource) of \(Self.text(span.lowerBound)) to \(Self.text(span.upperBound))"
                    + (other == line.file ? " twice" : ""))
        }
    }

    /// The state knows how far the continuous exports got.
    private func ending(_ owner: ManifestOwner, _ windows: Windows) -> [ExportFinding] {
        guard let newest = known?.reached[owner], let end = windows.end else { return [] }
        let reached = max(end, known?.empty[owner]?.map(\.upperBound).max() ?? .min)
        guard newest > reached else { return [] }
        return [
            ExportFinding(
                .gap, resource: owner.resource, merchant: owner.merchant,
                "\(owner.resource) were exported up to \(Self.text(newest)), and the files end at \(Self.text(reached))"
            )
        ]
    }

    private static func text(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        var writer = InstantWriter(.utc)
        return writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes)
            ? String(decoding: bytes, as: UTF8.self) : "\(milliseconds)"
    }
}

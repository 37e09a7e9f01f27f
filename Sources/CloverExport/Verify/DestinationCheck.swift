import CloverSystem
import Glibc

/// What the bytes of a file are.
package struct FileContents: Sendable {
    private var digest = SHA256()
    private(set) var rows: RowCounter?

    package init(_ file: String) { rows = RowCounter(file) }

    package mutating func add(_ bytes: [UInt8]) {
        digest.update(bytes)
        rows?.add(bytes)
    }

    /// In hexadecimal digits.
    package var sha256: String { digest.finalize().hexadecimalDigits }
}

/// What the bytes of an object are: a part for each addition to it.
package struct ObjectContents: Sendable {
    private var parts: [(end: Int64, contents: FileContents)]
    private var position: Int64 = 0

    /// - Parameter ends: offsets after the parts.
    package init(_ file: String, partsEndingAt ends: Set<Int64>) {
        parts = ends.sorted().map { ($0, FileContents(file)) }
    }

    package mutating func add(_ bytes: [UInt8]) {
        var rest = bytes[...]
        for place in parts.indices where parts[place].end > position && !rest.isEmpty {
            let piece = rest.prefix(Int(min(parts[place].end - position, Int64(rest.count))))
            parts[place].contents.add(Array(piece))
            position += Int64(piece.count)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// The part that ends at an offset.
    func part(endingAt end: Int64) -> FileContents? { parts.first { $0.end == end }?.contents }
}

/// Compares a destination with its manifest, and with what the state knows of it. It changes nothing.
///
/// Each file is read once, piece by piece. Call it only on a thread that may block, and while no export to the destination
/// runs.
package struct DestinationCheck: ~Copyable {
    /// What was checked, for people.
    package struct Counts: Sendable, Equatable {
        package var files = 0
        package var rows: Int64 = 0
        package var bytes: Int64 = 0
        package var hasManifest = false
    }

    private let place: DestinationFiles
    private let known: KnownDestination?
    /// What was read of each object, where the files only stand for objects.
    private let objects: [String: ObjectContents]?
    /// The manifest's name: that of earlier versions until the next run renames it.
    private let manifest: String
    private var findings: [ExportFinding] = []
    package private(set) var counts = Counts()

    private static let pieceSize = 1 << 20

    /// - Parameters:
    ///   - path: the destination, which exists.
    ///   - known: what the state knows; nil to check against the manifest only.
    ///   - objects: what was read of each object of an object store that the directory shows.
    package init(
        _ path: String, _ known: KnownDestination?, objects: [String: ObjectContents]? = nil
    ) throws(ExportError) {
        place = try DestinationFiles(path)
        self.known = known
        self.objects = objects
        let isNew = access("\(path)/\(NameTemplate.manifest)", F_OK) == 0
        let isOld = access("\(path)/\(NameTemplate.oldManifest)", F_OK) == 0
        manifest = isNew || !isOld ? NameTemplate.manifest : NameTemplate.oldManifest
        counts.hasManifest = isNew || isOld
    }

    /// Checks everything.
    ///
    /// - Returns: the findings: files in the order of their lines, then windows, then foreign files.
    /// - Throws: `ExportError.file` when the manifest or the destination cannot be read.
    package mutating func run() throws(ExportError) -> [ExportFinding] {
        let listed: [Listed]
        do throws(ExportError) {
            listed = compare(try manifestTexts())
        } catch {
            switch error {
            case .link, .notFile: add(.manifest, file: manifest, "\(manifest) is no regular file any more")
            default: throw error
            }
            listed = []
        }
        var windows = listed.map(\.line)
        if let known {
            let lines = known.lines.filter { !$0.isInterrupted }
            windows = lines.compactMap { ManifestLine(parsing: $0.text) }
            let own = Set(known.lines.map(\.text))
            // Lines of another machine, or of a state that was lost.
            var others = listed.filter { !own.contains($0.text) && !known.paths.contains($0.line.file) }.map(\.line)
            if known.rewritesManifest {
                // A file that was moved has its former line until the manifest is written anew.
                let contents = Set(known.lines.compactMap { ManifestLine(parsing: $0.text)?.contents })
                others.removeAll { contents.contains($0.contents) }
            }
            check(others)
            check(lines.filter { !$0.isForgotten }.compactMap { ManifestLine(parsing: $0.text) })
            checkCurrent(known.outdated)
        } else {
            check(windows)
        }
        findings += WindowCheck(windows, known).findings()
        let paths = Set(listed.map(\.line.file)).union(known?.paths ?? [])
        try findForeign(in: "", beside: paths)
        return findings
    }

    /// Looks for current files that are as they were exported, and older than their change files.
    private mutating func checkCurrent(_ outdated: [String: Int]) {
        for (file, count) in outdated.sorted(by: { $0.key < $1.key })
        where !findings.contains(where: { $0.file == file }) {
            add(
                .changed, file: file,
                "\(file) lacks the records of \(count) later \(count == 1 ? "file" : "files"); "
                    + "'clover export compact' brings it up to date")
        }
    }

    // MARK: Manifest

    private typealias Listed = (text: String, line: ManifestLine)

    /// The manifest's lines; nil when there is no manifest.
    private func manifestTexts() throws(ExportError) -> [Substring]? {
        let name = manifest
        guard let file = try place.open(name, flags: O_RDONLY) else { return nil }
        var bytes: [UInt8] = []
        while true {
            let piece = try ExportError.attempt(.read, place.shown(name)) { () throws(ErrorNumber) in
                try file.read(limit: Self.pieceSize, at: bytes.count)
            }
            if piece.isEmpty { break }
            bytes += piece
            guard bytes.count <= ExportDirectory.manifestLimit else {
                throw .file(.read, path: place.shown(name), errno: EFBIG)
            }
        }
        var lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Compares the manifest with the state, or with itself.
    ///
    /// - Returns: its lines that can be read, without repetitions.
    private mutating func compare(_ texts: [Substring]?) -> [Listed] {
        let name = manifest
        guard let texts else {
            let isDue = known.map { known in known.lines.contains(where: \.isListed) } ?? true
            if isDue { add(.manifest, file: name, "\(name) is missing") }
            return []
        }
        var listed: [Listed] = []
        var seen: Set<String> = []
        for (index, text) in texts.enumerated() {
            guard let line = ManifestLine(parsing: String(text)) else {
                // The rest of a line that a killed run began.
                if index == texts.count - 1, known?.lines.contains(where: { !$0.isListed }) ?? false { continue }
                add(.manifest, file: name, "line \(index + 1) of \(name) is not a line of a manifest")
                continue
            }
            guard seen.insert(String(text)).inserted else {
                add(.manifest, file: name, of: line, "line \(index + 1) of \(name) repeats the line of \(line.file)")
                continue
            }
            listed.append((String(text), line))
        }
        guard let known else {
            checkPairs(listed.map(\.line))
            return listed
        }
        // The next run writes it anew.
        guard !known.rewritesManifest else { return listed }
        compare(listed, with: known)
        return listed
    }

    private mutating func compare(_ listed: [Listed], with known: KnownDestination) {
        let name = manifest
        let own = Set(known.lines.map(\.text))
        let there = Set(listed.map(\.text))
        var strange: [ManifestPlace: ManifestLine] = [:]
        for (text, line) in listed where !own.contains(text) { strange[ManifestPlace(line)] = line }
        for expected in known.lines where expected.isListed && !there.contains(expected.text) {
            guard let line = ManifestLine(parsing: expected.text) else { continue }
            if let other = strange.removeValue(forKey: ManifestPlace(line)) {
                add(
                    .manifest, file: name, of: line,
                    "\(name) has another line of \(line.file) than was written: "
                        + Self.difference(other, line))
            } else {
                add(.manifest, file: name, of: line, "\(name) has lost the line of \(line.file)")
            }
        }
        for line in strange.values.sorted(by: { $0.file < $1.file }) {
            add(
                .manifest, file: name, of: line,
                "\(name) lists \(line.file), of which this machine's state knows nothing")
        }
        let order = listed.map(\.text).filter(own.contains)
        if order != known.lines.map(\.text).filter(there.contains) {
            add(.manifest, file: name, "the lines of \(name) are in another order than they were written")
        }
    }

    /// The first member that differs.
    private static func difference(_ one: ManifestLine, _ other: ManifestLine) -> String {
        let members: [(name: String, differs: Bool)] = [
            ("sha256", one.sha256 != other.sha256), ("bytes", one.bytes != other.bytes),
            ("results", one.results != other.results), ("from", one.from != other.from), ("to", one.to != other.to),
            ("resource", one.resource != other.resource), ("merchant", one.merchant != other.merchant),
        ]
        return members.first(where: \.differs)?.name ?? "other members"
    }

    /// Without the state: two lines about the same bytes.
    private mutating func checkPairs(_ lines: [ManifestLine]) {
        var first: Set<ManifestPlace> = []
        for line in lines where !first.insert(ManifestPlace(line)).inserted {
            add(.manifest, file: manifest, of: line, "\(manifest) has two lines of \(line.file)")
        }
    }

    /// A file, or an addition to a growing one.
    private struct ManifestPlace: Hashable {
        var file: String
        var offset: Int64

        init(_ line: ManifestLine) {
            file = line.file
            offset = line.offset ?? 0
        }
    }

    // MARK: Files

    /// Checks files against these lines: one finding for each file.
    private mutating func check(_ lines: [ManifestLine]) {
        var files: [String: [ManifestLine]] = [:]
        var order: [String] = []
        for line in lines {
            if files[line.file] == nil { order.append(line.file) }
            files[line.file, default: []].append(line)
        }
        let owners = Dictionary(lines.map { ($0.sha256, $0.file) }) { first, _ in first }
        for file in order {
            let lines = files[file, default: []].sorted { $0.offset ?? 0 < $1.offset ?? 0 }
            counts.files += 1
            do throws(ExportError) {
                guard let finding = try finding(file, lines, owners) else { continue }
                let new = known?.unfinished.published[file]
                if let new, try self.finding(file, [new], owners) == nil { continue }
                findings.append(finding)
            } catch {
                findings.append(Self.finding(file, lines.first, error))
            }
        }
    }

    private static func finding(_ file: String, _ line: ManifestLine?, _ error: ExportError) -> ExportFinding {
        let (kind, sentence): (ExportFinding.Kind, String) =
            switch error {
            case .link: (.notFile, "\(file) is, or is below, a symbolic link instead of a file")
            case .notFile: (.notFile, "\(file) is not a regular file any more")
            case .file(_, _, let number): (.unreadable, "\(file) cannot be read: \(String(cString: strerror(number)))")
            default: (.unreadable, "\(file) cannot be read")
            }
        return ExportFinding(kind, file: file, resource: line?.resource, merchant: line?.merchant, sentence)
    }

    /// What is wrong with a file; nil when it is as it was exported.
    private mutating func finding(
        _ file: String, _ lines: [ManifestLine], _ owners: [String: String]
    ) throws(ExportError) -> ExportFinding? {
        func found(_ kind: ExportFinding.Kind, _ sentence: String) -> ExportFinding {
            ExportFinding(
                kind, file: file, resource: lines.first?.resource, merchant: lines.first?.merchant, sentence)
        }
        guard let source = try place.open(currentPath(of: file), flags: O_RDONLY) else {
            return found(.missing, "\(file) is missing")
        }
        let size = try ExportError.attempt(.read, place.shown(file)) { () throws(ErrorNumber) in
            Int64(try source.status().st_size)
        }
        let end = lines.map(\.end).max() ?? 0
        guard size >= end else {
            return found(
                .shortened, size == 0 ? "\(file) is empty" : "\(file) has only \(size) of \(end) bytes")
        }
        var position: Int64 = 0
        for line in lines {
            let start = line.offset ?? 0
            if start < position { return found(.overlap, "\(file) has two additions in the same place") }
            if start > position {
                return found(.changed, "\(file) has \(start - position) bytes that no export wrote")
            }
            var contents = objects?[file]?.part(endingAt: line.end) ?? FileContents(file)
            if objects != nil { position = line.end }
            while position < line.end {
                let piece = try ExportError.attempt(.read, place.shown(file)) { () throws(ErrorNumber) in
                    try source.read(limit: Int(min(Int64(Self.pieceSize), line.end - position)), at: Int(position))
                }
                guard !piece.isEmpty else { return found(.shortened, "\(file) has lost its end while it was read") }
                contents.add(piece)
                position += Int64(piece.count)
            }
            let (sum, rows) = (contents.sha256, contents.rows)
            guard sum == line.sha256 else {
                if let other = owners[sum], other != file {
                    return found(.changed, "\(file) has the contents of \(other)")
                }
                return found(.changed, "\(file) has other bytes than were exported" + Self.part(line, of: lines))
            }
            if let rows, !rows.agrees(with: line) {
                return found(.rows, "\(file) has \(rows.text), and the manifest says \(line.results)")
            }
            counts.rows += line.results
            counts.bytes += line.bytes
        }
        // The next run cuts off what an interrupted one added.
        if size > end, known?.unfinished.appended.contains(file) != true {
            return found(.changed, "\(file) has \(size - end) bytes more than were exported")
        }
        return nil
    }

    /// Where a file is, whose move to another path may have been interrupted.
    private func currentPath(of file: String) throws(ExportError) -> String {
        guard let moved = known?.unfinished.moved[file], try place.size(of: file) == nil else { return file }
        return moved
    }

    /// The files that are compared with lines, of the state or else of the manifest, and where their additions end.
    package func ends() throws(ExportError) -> [String: Set<Int64>] {
        var ends: [String: Set<Int64>] = [:]
        let own = (known?.lines ?? []).compactMap { ManifestLine(parsing: $0.text) }
        let listed = (try manifestTexts() ?? []).compactMap { ManifestLine(parsing: String($0)) }
            .filter { !(known?.paths.contains($0.file) ?? false) }
        for line in own + listed { ends[line.file, default: []].insert(line.end) }
        return ends
    }

    private static func part(_ line: ManifestLine, of lines: [ManifestLine]) -> String {
        lines.count > 1 ? " at \(line.offset ?? 0) to \(line.end)" : ""
    }

    // MARK: Foreign files

    /// Finds files that no export made, below a directory.
    ///
    /// - Parameter folder: relative path that ends with a slash; empty for the destination.
    private mutating func findForeign(in folder: String, beside paths: Set<String>) throws(ExportError) {
        let entries: [DestinationFiles.Entry]
        do throws(ExportError) {
            entries = try place.entries(of: folder)
        } catch {
            guard !folder.isEmpty else { throw error }
            let name = String(folder.dropLast())
            // A new file system has a directory that only root may read.
            if name != "lost+found" { add(.foreign, file: name, "\(name) cannot be listed, and no export made it") }
            return
        }
        for entry in entries {
            let path = folder + entry.name
            if folder.isEmpty, [ExportDirectory.folder, manifest].contains(entry.name) { continue }
            if entry.isDirectory, !paths.contains(path) {
                try findForeign(in: path + "/", beside: paths)
            } else if !paths.contains(path), !wasSetAside(path, paths) {
                add(.foreign, file: path, foreignWords(path))
            }
        }
    }

    /// What is known of a file that no known export made. Versions that did not list failed records left files of them.
    private func foreignWords(_ path: String) -> String {
        guard path.hasPrefix(NameTemplate.failed + "/") else { return "no export made \(path)" }
        let isListedLater = known != nil && objects == nil && place.failures(in: path) != nil
        return "no known export made \(path)"
            + (isListedLater ? ", which has failed records: the next run to this directory lists it" : "")
    }

    /// Whether it is a file that an export kept under another name: `x.changed`, `x.changed-2`.
    private func wasSetAside(_ path: String, _ paths: Set<String>) -> Bool {
        guard let mark = path.ranges(of: ExportDirectory.asideMark).last else { return false }
        let number = path[mark.upperBound...]
        guard number.isEmpty || number.first == "-" && Int(number.dropFirst()) != nil else { return false }
        let original = String(path[..<mark.lowerBound])
        return paths.contains(original) || original == manifest
    }

    private mutating func add(
        _ kind: ExportFinding.Kind, file: String?, of line: ManifestLine? = nil, _ sentence: String
    ) {
        findings.append(
            ExportFinding(kind, file: file, resource: line?.resource, merchant: line?.merchant, sentence))
    }
}

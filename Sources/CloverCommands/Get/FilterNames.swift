import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON
import CloverSystem

/// Asks Clover about filters that the catalogue lacks: each page of a list names the fields that it filters by, in
/// `X-Clover-Allowed-Filter-Fields` (Clover: applying filters; recorded: `order-types-empty`, `tax-rates-many`).
struct FilterNames {
    static let header = "X-Clover-Allowed-Filter-Fields"

    let client: ServiceClient
    let path: ResourcePath
    let environment: CommandEnvironment

    /// Checks the filters, with at most two requests.
    ///
    /// - Returns: those of which Clover says nothing; the records may not match them.
    /// - Throws: the refusal of the first that Clover does not filter by, or of which Clover says nothing and that is no
    ///   field of the records either, by the catalogue or by the first one; what a request throws.
    func check(_ unlisted: [QueryValidator.UnlistedFilter]) async throws -> Set<String> {
        guard !unlisted.isEmpty else { return [] }
        let cache = FilterNameCache(of: path, client, in: environment)
        let now = environment.clock.wall()
        var names = await cache.names(at: now)
        // No list of the ecommerce API has the header.
        if names == nil, !path.isPagedByCursor {
            var attempt = ServiceClient.Attempt()
            let response = try await client.get(client.url(of: path, query: "limit=1"), attempt: &attempt)
            response.body.cancel()
            names = response.headers.first(named: Self.header).map(Self.names)
            if let names { await cache.keep(names, at: now) }
        }
        guard let names else {
            // Neither the list nor its records are known to have it.
            let model = path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) }
            let unknown = unlisted.filter { model?.field(named: Self.member($0.name)) == nil }
            if model != nil, !unknown.isEmpty { try await checkFirstRecord(unknown, now: now) }
            environment.diagnostics.notice(
                "\(path.display): neither the catalogue nor Clover says whether it filters by "
                    + Self.listed(unlisted.map(\.name)))
            return Set(unlisted.map(\.name))
        }
        if let first = unlisted.first(where: { !names.contains($0.name) }) {
            guard case .unknownName(let name, let role, let path, _) = first.refusal else { throw first.refusal }
            // Those of the catalogue may be gone.
            let near = NearestNames.of(name, among: Array(names))
            throw QueryError.unknownName(
                name, role: role, path: path, suggestions: near.isEmpty ? names.sorted() : near)
        }
        environment.diagnostics.notice(
            "\(path.display): Clover filters by \(Self.listed(unlisted.map(\.name))), which the catalogue lacks")
        return []
    }

    /// Throws the refusal of the first filter that is no member of the list's first record.
    private func checkFirstRecord(_ filters: [QueryValidator.UnlistedFilter], now: Int64) async throws {
        let pager = RecordPager(client: client, path: path, query: RecordQuery(), isChecked: false, now: now)
        let page = try await pager.answer(limit: 1, offset: nil)
        let tree = page.records.first.flatMap { JSONTree(Array(page.bytes[$0.range])) }
        let rows = tree?["elements"]?.list ?? tree?["data"]?.list ?? []
        var members: [String: JSONTree] = [:]
        if case .object(let found) = rows.first { members = found }
        if let first = filters.first(where: { members[String(Self.member($0.name))] == nil }) { throw first.refusal }
    }

    /// The member of a record that a filter such as `item.price` begins with.
    private static func member(_ name: String) -> Substring { name.prefix { $0 != "." } }

    private static func names(in header: String) -> Set<String> {
        Set(header.split(separator: ",").map { $0.filter { !$0.isWhitespace } })
    }

    private static func listed(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The fields that a list of a merchant filters by, as Clover listed them within the last day: in `filter-names` of the state
/// directory. A file holds the time, and the names. Errors of these files are ignored: Clover is asked again.
private struct FilterNameCache {
    /// How long names are used, in milliseconds.
    private static let lifetime: Int64 = 86_400_000
    private static let folder = "filter-names"
    private static let lockName = "lock"
    private static let longest = 16_384

    private let directory: StateDirectory?
    /// The file, named by a hash of the service, the merchant and the list.
    private let name: String

    init(of path: ResourcePath, _ client: ServiceClient, in environment: CommandEnvironment) {
        do {
            directory = try environment.stateDirectory()
        } catch {
            // Missing state is reported where it is required.
            directory = nil
        }
        name = SHA256.hash(Array(client.url(of: path, query: "").utf8)).prefix(16).hexadecimalDigits
    }

    func names(at now: Int64) async -> Set<String>? {
        await DedicatedThread.run { read(now) }
    }

    func keep(_ names: Set<String>, at now: Int64) async {
        await DedicatedThread.run { write("\(now) \(names.sorted().joined(separator: ","))\n") }
    }

    private func read(_ now: Int64) -> Set<String>? {
        do throws(StorageError) {
            guard let folder = try directory?.existingSubdirectory(Self.folder, rule: .own),
                let bytes = try PrivateFile.read(name, in: folder, rule: .own, limit: Self.longest)
            else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            // A clock that was set back makes the age unknown.
            guard words.count == 2, let readAt = Int64(words[0]), (0..<Self.lifetime).contains(now - readAt) else {
                return nil
            }
            return Set(words[1].split(separator: ",").map(String.init))
        } catch {
            return nil
        }
    }

    private func write(_ line: String) {
        guard let directory, line.utf8.count <= Self.longest else { return }
        do throws(StorageError) {
            let folder = try directory.prepareSubdirectory(Self.folder, rule: .own)
            guard let lock = try FileLock.tryAcquire(Self.lockName, in: folder) else { return }
            try AtomicFile.replace(name, in: folder, with: Array(line.utf8), durable: false, holding: lock)
        } catch {
            // Such as a read-only directory.
        }
    }
}

package import CloverAPI
import CloverSystem

/// A merchant's time zone and currency, kept for a day in `merchant-settings` of the state directory, so that runs from
/// cron and interactive commands need no request for them.
///
/// Only the zone of dates and the decimals of printed amounts come from it; what is charged never does. Errors of its files
/// are ignored: the settings are requested then.
package struct MerchantSettingsCache: Sendable {
    /// How long settings are used, in milliseconds.
    package static let lifetime: Int64 = 86_400_000
    private static let folder = "merchant-settings"
    private static let lockName = "lock"

    private let directory: StateDirectory?
    /// The file, named by a hash of merchant and service.
    private let name: String

    package init(_ merchantID: String, _ client: ServiceClient, in environment: CommandEnvironment) {
        do {
            directory = try environment.stateDirectory()
        } catch {
            // Missing state is reported where it is required.
            directory = nil
        }
        // Neither part has a zero byte, so the separator is unambiguous.
        let hash = SHA256.hash(Array(client.url(path: "", query: "").utf8) + [0] + Array(merchantID.utf8))
        name = hash.prefix(16).hexadecimalDigits
    }

    /// The settings; nil if there are none that are younger than a day. Creates no file.
    package func settings(at now: Int64) async -> MerchantSettings? {
        await DedicatedThread.run { read(now) }
    }

    /// Keeps complete settings.
    func keep(_ settings: MerchantSettings, at now: Int64) async {
        guard let zone = settings.timezone, let currency = settings.defaultCurrency else { return }
        await DedicatedThread.run { write("\(now) \(zone) \(currency)\n") }
    }

    private func read(_ now: Int64) -> MerchantSettings? {
        do throws(StorageError) {
            guard let folder = try directory?.existingSubdirectory(Self.folder, rule: .own),
                let bytes = try PrivateFile.read(name, in: folder, rule: .own, limit: 256)
            else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
                $0 == " " || $0 == "\n"
            }
            // A clock that was set back makes the age unknown.
            guard words.count == 4, let readAt = Int64(words[0]), (0..<Self.lifetime).contains(now - readAt),
                words[3].isEmpty
            else { return nil }
            var settings = MerchantSettings(zone: String(words[1]), currency: String(words[2]))
            settings.keptSince = readAt
            return settings
        } catch {
            return nil
        }
    }

    private func write(_ line: String) {
        guard let directory else { return }
        do throws(StorageError) {
            let folder = try directory.prepareSubdirectory(Self.folder, rule: .own)
            guard let lock = try FileLock.tryAcquire(Self.lockName, in: folder) else { return }
            try AtomicFile.replace(name, in: folder, with: Array(line.utf8), durable: false, holding: lock)
        } catch {
            // Such as a read-only directory.
        }
    }
}

import FoundationEssentials

/// An export as the service describes it.
struct ExportAPIAnswer: Sendable, Equatable {
    /// How far it is.
    enum Status: Sendable, Equatable {
        /// In percent; nil when the service does not say.
        case underWay(percent: Int?)
        /// With the addresses of the files, in the service's order. One without records may have none.
        case done(files: [String])
        /// The service's own samples take every other status for an end without success. So is an end that does not say where
        /// all of its files are.
        case other(String)
    }

    let id: String
    let status: Status

    /// Nil for a body that describes no export.
    init?(_ body: [UInt8]) {
        let answer: Body
        do {
            answer = try JSONDecoder().decode(Body.self, from: Data(body))
        } catch {
            return nil
        }
        id = answer.id
        status =
            switch answer.status {
            case "PENDING", "IN_PROGRESS": .underWay(percent: answer.percentComplete)
            case "DONE": Self.end(answer)
            default: .other(answer.status)
            }
    }

    private static func end(_ answer: Body) -> Status {
        if let percent = answer.percentComplete, percent < 100 { return .other("DONE at \(percent) %") }
        guard let elements = answer.exportUrls?.elements else { return .other("DONE without a list of files") }
        let addresses = elements.compactMap { $0?.url }.filter { !$0.isEmpty }
        guard addresses.count == elements.count else { return .other("DONE without the address of a file") }
        return .done(files: addresses)
    }

    private struct Body: Decodable {
        var id: String
        var status: String
        var percentComplete: Int?
        var exportUrls: Files?

        struct Files: Decodable {
            var elements: [File?]?
        }

        struct File: Decodable {
            var url: String?
        }
    }
}

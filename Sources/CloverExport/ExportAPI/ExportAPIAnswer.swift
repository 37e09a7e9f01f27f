import FoundationEssentials

/// An export as the service describes it.
struct ExportAPIAnswer: Sendable, Equatable {
    /// How far it is.
    enum Status: Sendable, Equatable {
        /// In percent; nil when the service does not say.
        case underWay(percent: Int?)
        case done
        /// The service's own samples take every other status for an end without success.
        case other(String)
    }

    let id: String
    let status: Status
    /// Addresses of the files, in the service's order.
    let files: [String]

    /// Nil for a body that describes no export.
    init?(_ body: [UInt8]) {
        let answer: Body
        do {
            answer = try JSONDecoder().decode(Body.self, from: Data(body))
        } catch {
            return nil
        }
        id = answer.id
        files = answer.exportUrls?.elements.map(\.url) ?? []
        status =
            switch answer.status {
            case "PENDING", "IN_PROGRESS": .underWay(percent: answer.percentComplete)
            case "DONE": .done
            default: .other(answer.status)
            }
    }

    private struct Body: Decodable {
        var id: String
        var status: String
        var percentComplete: Int?
        var exportUrls: Files?

        struct Files: Decodable {
            var elements: [File]
        }

        struct File: Decodable {
            var url: String
        }
    }
}

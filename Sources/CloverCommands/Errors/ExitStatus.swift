/// The exit statuses, from sysexits.h where it has one. A number never changes its meaning.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case done = 0
    case unclassified = 1
    case usage = 64
    case badData = 65
    case notFound = 66
    case unavailable = 69
    case bug = 70
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    case nonsense = 76
    case notAuthorized = 77
    case configuration = 78
    case incomplete = 79
    case outcomeUnknown = 80
    case declined = 81
    case partlyFailed = 82
    case timeRanOut = 83
}

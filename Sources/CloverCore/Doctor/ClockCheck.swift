/// This machine's clock beside the service's.
struct ClockCheck: DoctorCheck {
    /// Seconds that do no harm.
    private static let tolerance = 10.0
    /// From here on certificates and times in filters go wrong.
    private static let unbearable = 3600.0

    func look(_ patient: Patient) async throws -> [Finding] {
        guard case .success(let answer) = try await patient.network.sight(patient).result else {
            return [.skip(.clock, "the clock cannot be judged: there was no answer")]
        }
        guard let lead = answer.clockLead else {
            return [.skip(.clock, "the clock cannot be judged: the service does not say what time it is")]
        }
        let size = abs(lead)
        guard size > Self.tolerance else { return [.ok(.clock, "the clock agrees with the service's")] }
        let words = "clock is \(Self.words(size)) \(lead > 0 ? "ahead of" : "behind") the service"
        let next = ["sudo timedatectl set-ntp true"]
        if size > Self.unbearable {
            return [.fail(.clock, "\(words): times in filters and certificates mean something else here", next: next)]
        }
        return [
            .warn(
                .clock,
                "\(words): tokens will be refreshed \(lead > 0 ? "early" : "late"), and times in filters are off",
                next: next)
        ]
    }

    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<120: return "\(whole) s"
        case ..<7200: return "\(whole / 60) min"
        case ..<172_800: return "\(whole / 3600) h"
        default: return "\(whole / 86_400) days"
        }
    }
}

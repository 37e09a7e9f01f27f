import CloverAPI
import CloverAuth

extension DebugLine {
    /// What a request waited for.
    ///
    /// - Parameter now: milliseconds since 1970.
    static func pacing(_ admittance: ServiceEvent.Admittance, now: Int64) -> DebugLine {
        let granted = InstantText.utc(milliseconds: now - Int64((admittance.age * 1000).rounded()))
        let reason: String
        if let pause = admittance.pause {
            reason = "a pause of the service's: \(pause)"
        } else if admittance.waitedForSlot > admittance.waited / 2 {
            reason = "all in-flight slots were taken"
        } else {
            reason = "the rate of all processes with this token"
        }
        let isLong = admittance.waited >= 0.001
        return DebugLine(
            .pacing,
            "waited \(ServiceEventText.rounded(admittance.waited)) s"
                + (isLong ? " for \(reason)" : "") + ", granted \(granted), slot \(admittance.slot)"
        )
        .with("waited", seconds: admittance.waited).with("waitedForSlot", seconds: admittance.waitedForSlot)
        .with("reason", isLong ? reason : nil).with("granted", granted).with("slot", admittance.slot)
        .with("pause", admittance.pause)
    }

    /// The token came from the environment, and nothing more is known of it.
    static let staticToken = DebugLine(
        .cache, "the token of CLOVER_ACCESS_TOKEN is used; when it ends is not known, and it is never renewed"
    ).with("source", "CLOVER_ACCESS_TOKEN")

    /// Which kept credential is used, and how good it still is.
    ///
    /// - Parameter path: the state directory.
    static func credential(_ credential: Credential, path: String, now: TokenClock.Reading) -> DebugLine {
        let freshness = Freshness.judge(credential, now: now)
        let age = now.wall / 1000 - (credential.refreshedAt ?? credential.createdAt)
        let file = "\(path)/\(credential.key.filePath)"
        let left = freshness.secondsLeft.map { $0 > 0 ? "good for \(Int($0)) s more" : "ended \(Int(-$0)) s ago" }
        let decision = freshness.isDue ? "to be renewed" : "not due"
        return DebugLine(
            .cache,
            "credential \(file)" + (credential.isInKeyring ? " (in the keyring)" : "")
                + ", token \(age) s old, \(left ?? "without an end"): \(decision)"
        )
        .with("file", file).with("inKeyring", credential.isInKeyring).with("age", Int(age))
        .with("secondsLeft", freshness.secondsLeft.map { Int($0) }).with("due", freshness.isDue)
    }

    /// What was decided about a token.
    static func tokenDecision(_ text: String) -> DebugLine {
        DebugLine(.cache, text).with("decision", text)
    }
}

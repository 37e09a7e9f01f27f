import CloverAuth
import CloverConfiguration
import CloverStorage

/// The sign-ins: that each can be read, and that the one in use is good. No token is renewed.
struct CredentialCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        let environment = patient.environment
        let isStatic = try await patient.choice.staticCredential(in: environment) != nil
        guard try patient.hasState() || isStatic else { return [Self.notSignedIn] }
        var findings: [Finding] = []
        if try patient.hasState() {
            let store = try environment.credentialStore()
            for key in try await store.keys() {
                do throws(CredentialError) {
                    _ = try await store.load(key)
                } catch {
                    findings.append(.fail(.credentials, error))
                }
            }
        }
        do {
            findings.insert(try await current(patient), at: 0)
        } catch let error as CredentialError where findings.contains(where: { Self.isAbout(error, $0) }) {
            // It was told above.
        } catch let error as ConfigurationError {
            findings.append(.fail(.credentials, error))
        }
        return findings
    }

    private func current(_ patient: Patient) async throws -> Finding {
        let status = try await SignInStatus.current(patient.choice, in: patient.environment)
        if case .noneChosen(let names) = status.reason {
            return .fail(
                .credentials, "signed in to several merchants, and none is chosen: " + names.joined(separator: ", "),
                next: ["clover auth switch MERCHANT"])
        }
        guard let key = status.key else { return Self.notSignedIn }
        let profile = status.profile.map { "\($0) (\(key.environment), merchant \(key.merchantID))" }
        let who = profile ?? "merchant \(key.merchantID) (\(key.environment))"
        let again = "clover auth login" + (status.profile.map { " --profile \($0)" } ?? " --merchant \(key.merchantID)")
        switch status.reason {
        case .notSignedIn, .noneChosen: return Self.notSignedIn
        case .keyringUnusable(let error):
            // As reading it says, which may have been told already.
            let state = try patient.environment.stateDirectory().path
            throw CredentialError.keyring(path: state + "/" + key.filePath, error)
        case .goneFromKeyring: throw CredentialError.missingInKeyring(key)
        case .endedByClock:
            return .warn(
                .credentials, "signed in: \(who), but both tokens have ended by the clock of this machine",
                next: ["clover auth refresh"])
        case .expired: return .fail(.credentials, "signed in: \(who), but the token has ended", next: [again])
        case .lastToken(_, let until):
            return .warn(
                .credentials,
                "signed in: \(who), but the service refused to renew the token"
                    + (until.map { ", which works until \(InstantText.utc(seconds: $0))" } ?? ""), next: [again])
        // What only the service can tell is another check's.
        case .notAccepted, .unclear, .withoutPermissions: break
        case .dead:
            return .fail(
                .credentials, "the service takes the token of \(who) no more, and refused to renew it", next: [again])
        case .refused: return .fail(.credentials, "the service refused to renew the token of \(who)", next: [again])
        case .lost:
            return .fail(.credentials, "the answer with new tokens for \(who) never arrived", next: [again])
        case .unsettled:
            return .warn(
                .credentials, "a renewal of the token of \(who) is under way, or was interrupted",
                next: ["clover auth refresh"])
        case nil: break
        }
        return .ok(.credentials, "signed in: \(who)" + Self.life(status))
    }

    private static func life(_ status: SignInStatus) -> String {
        if status.source == .environment { return ", with CLOVER_ACCESS_TOKEN" }
        var parts: [String] = []
        if status.isRefreshDue {
            parts.append("the token is renewed with the next request")
        } else if let left = status.secondsLeft, left > 0 {
            parts.append("token good for \(Self.words(seconds: Int64(left)))")
        } else if let end = status.accessTokenExpires {
            parts.append("token until \(InstantText.utc(seconds: end))")
        } else {
            parts.append("token without an end")
        }
        if let end = status.refreshTokenExpires {
            parts.append("refresh token until \(InstantText.utc(milliseconds: end * 1000).prefix(10))")
        }
        return ", " + parts.joined(separator: ", ")
    }

    private static func words(seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    private static let notSignedIn = Finding.fail(
        .credentials, "not signed in",
        next: ["clover auth login --app-id APP", "or try everything offline: clover emulator demo"])

    private static func isAbout(_ error: CredentialError, _ finding: Finding) -> Bool {
        if case .error(let told as CredentialError, _) = finding.words { return told == error }
        return false
    }
}

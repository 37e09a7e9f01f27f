import CloverAuth
import CloverHTTP
import Testing

@Suite("How long a token is good")
struct FreshnessTests {
    private static let issuedAt: Int64 = 1_700_000_000

    /// A token of half an hour, issued at boot second 100.
    private static func credential(
        life: Int64? = 1800, serverAhead: Int64? = 0, bootID: String? = "b", refreshedAfter: Int64? = nil
    ) throws -> Credential {
        let issuedAt = issuedAt + (refreshedAfter ?? 0)
        let serverTime = serverAhead.map { issuedAt + $0 }
        return Credential(
            key: try CredentialKey(environment: "us", merchantID: "M", appID: "A"), kind: .oauth,
            accessToken: Secret("a"), accessTokenExpires: life.map { (serverTime ?? issuedAt) + $0 },
            createdAt: Self.issuedAt, refreshedAt: refreshedAfter.map { Self.issuedAt + $0 }, serverTime: serverTime,
            bootTime: bootID == nil ? nil : 100_000, bootID: bootID)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let credential: @Sendable () throws -> Credential
        /// Seconds since the token was issued on the boot clock.
        var boot: Int64 = 0
        /// Seconds since the sign-in on the wall clock.
        var wall: Int64 = 0
        var bootID = "b"
        let left: Double?
        let isDue: Bool
        let isExpired: Bool
    }

    @Test(
        "A token is judged",
        arguments: [
            Row(
                testDescription: "just issued", credential: { try credential() }, left: 1800, isDue: false,
                isExpired: false),
            Row(
                testDescription: "a minute and a bit left", credential: { try credential() }, boot: 1740, left: 60,
                isDue: false, isExpired: false),
            Row(
                testDescription: "less than a minute left", credential: { try credential() }, boot: 1741, left: 59,
                isDue: true, isExpired: false),
            Row(
                testDescription: "ended", credential: { try credential() }, boot: 1800, left: 0, isDue: true,
                isExpired: true),
            Row(
                testDescription: "long ended", credential: { try credential() }, boot: 90_000, left: -88_200,
                isDue: true, isExpired: true),
            Row(
                testDescription: "a short life has a short margin", credential: { try credential(life: 100) }, boot: 90,
                left: 10, isDue: false, isExpired: false),
            Row(
                testDescription: "a short life near its end", credential: { try credential(life: 100) }, boot: 91,
                left: 9, isDue: true, isExpired: false),
            Row(
                testDescription: "never alive", credential: { try credential(life: 0) }, left: 0, isDue: true,
                isExpired: true),
            Row(
                testDescription: "no end", credential: { try credential(life: nil) }, boot: 1_000_000, left: nil,
                isDue: false, isExpired: false),
            Row(
                testDescription: "our clock an hour slow", credential: { try credential(serverAhead: 3600) },
                boot: 1000,
                wall: 1000, left: 800, isDue: false, isExpired: false),
            Row(
                testDescription: "our clock an hour fast", credential: { try credential(serverAhead: -3600) },
                boot: 1000, wall: 1000, left: 800, isDue: false, isExpired: false),
            Row(
                testDescription: "wall clock set forward by a year", credential: { try credential() }, boot: 1000,
                wall: 31_536_000, left: 800, isDue: false, isExpired: false),
            Row(
                testDescription: "wall clock set back", credential: { try credential() }, boot: 1790, wall: -9999,
                left: 10, isDue: true, isExpired: false),
            Row(
                testDescription: "after a restart the wall clock counts", credential: { try credential() }, boot: 5,
                wall: 1000, bootID: "c", left: 800, isDue: false, isExpired: false),
            Row(
                testDescription: "after a restart, and ended", credential: { try credential() }, boot: -50, wall: 1801,
                bootID: "c", left: -1, isDue: true, isExpired: true),
            Row(
                testDescription: "after a restart, and the clock stepped back", credential: { try credential() },
                wall: -2, bootID: "c", left: nil, isDue: true, isExpired: false),
            Row(
                testDescription: "a boot clock that runs backwards", credential: { try credential() }, boot: -1,
                left: nil, isDue: true, isExpired: false),
            Row(
                testDescription: "from an older version, without stamps",
                credential: { try credential(serverAhead: nil, bootID: nil) }, boot: 77, wall: 1741, left: 59,
                isDue: true, isExpired: false),
            Row(
                testDescription: "a boot without a name is never the same one",
                credential: { try credential(bootID: "") }, boot: 9999, wall: 1000, bootID: "", left: 800, isDue: false,
                isExpired: false),
            Row(
                testDescription: "renewed long after the sign-in",
                credential: { try credential(bootID: nil, refreshedAfter: 100_000) }, wall: 101_000, left: 800,
                isDue: false, isExpired: false),
        ])
    func judge(row: Row) throws {
        let now = TokenClock.Reading(
            wall: (Self.issuedAt + row.wall) * 1000, boot: 100_000 + row.boot * 1000, bootID: row.bootID)
        let found = Freshness.judge(try row.credential(), now: now)
        #expect(found.secondsLeft == row.left)
        #expect(found.isDue == row.isDue)
        #expect(found.isExpired == row.isExpired)
    }

    @Test("Absurd times out of a file do no harm")
    func absurd() throws {
        let credential = Credential(
            key: try CredentialKey(environment: "us", merchantID: "M"), kind: .oauth, accessToken: Secret("a"),
            accessTokenExpires: .max, createdAt: .min, serverTime: .min, bootTime: .min, bootID: "b")
        let found = Freshness.judge(credential, now: TokenClock.Reading(wall: .max, boot: .max, bootID: "b"))
        #expect(found.secondsLeft?.isFinite == true)
    }

    @Test("The live clocks move forward, and name this boot")
    func live() {
        let first = TokenClock.live.now
        let second = TokenClock.live.now
        #expect(second.boot >= first.boot)
        #expect(first.boot > 0)
        #expect(first.wall > 1_700_000_000_000)
        #expect(first.bootID == second.bootID)
        #expect(first.bootID.count == 36)
    }
}

import CloverAuth
import CloverFleet
import CloverRateLimit
import Testing

/// Moves that fail before anything is sent.
extension StateMoveTests {
    private static let nowhere = "postgresql://postgres@127.0.0.1:1/nowhere"

    @Test("a directory is not closed for a database that is away, read-only, or without its tables or key")
    func notTaken() async throws {
        let world = try await World(charges: 3)
        let before = try await world.inDirectory()
        let stops: @Sendable (FleetMove.Step) throws -> Void = { _ in throw FleetMoveError.ended }
        await #expect(throws: LedgerError.self) {
            try await world.move(Self.nowhere, onStep: stops).toDatabase()
        }
        let keyless = try await FleetWorld()
        await #expect(throws: CredentialError.self) { try await world.move(keyless.url, onStep: stops).toDatabase() }
        for damage in [
            "ALTER DATABASE \"NAME\" SET default_transaction_read_only = on", "DROP TABLE clover_state.moves",
        ] {
            let other = try await FleetWorld()
            _ = try await TokenWorld.keys(other.url, in: world.keys) { (keys) throws(CredentialError) in
                try keys.create()
            }
            _ = try await other.rows(damage.replacing("NAME", with: other.name))
            await #expect(throws: LedgerError.self, "\(damage)") {
                try await world.move(other.url, onStep: stops).toDatabase()
            }
        }
        #expect(try await world.inDirectory() == before)
        _ = try await world.move().toDatabase()
    }

    @Test("a move of which nothing was committed is taken back without the database, or goes to another one")
    func withoutDatabase() async throws {
        for step in [FleetMove.Step.marked, .sealed] {
            let world = try await World(charges: 3)
            let before = try await world.inDirectory()
            func die() async throws {
                await #expect(throws: FleetMoveError.ended) {
                    try await world.move { if $0 == step { throw FleetMoveError.ended } }.toDatabase()
                }
                #expect(try await world.inDirectory() == nil)
            }
            try await die()
            #expect(try await world.move(Self.nowhere).toDirectory() == .undone)
            #expect(try await world.inDirectory() == before)
            try await die()
            let other = try await FleetWorld()
            _ = try await TokenWorld.keys(other.url, in: world.keys) { (keys) throws(CredentialError) in
                try keys.create()
            }
            #expect(try await world.move(other.url).toDatabase().signIns == 2)
            #expect(try await world.inDatabase() == [0, 0, 0])
        }
        // Whether this one took place is not known without the database.
        let world = try await World(charges: 3)
        await #expect(throws: FleetMoveError.ended) {
            try await world.move { if $0 == .sending { throw FleetMoveError.ended } }.toDatabase()
        }
        await #expect(throws: (any Error).self) { try await world.move(Self.nowhere).toDirectory() }
        #expect(try await world.inDirectory() == nil)
    }
}

import CloverAuth
import CloverRateLimit
import CloverTables

/// The names of credentials in the database.
struct FleetProfiles: ProfileNames {
    let store: FleetCredentialStore

    func all() async throws(CredentialError) -> [String: CredentialKey] {
        try await store.reading { (table) throws(CredentialError) in try table.profiles() }
    }

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (inout [String: CredentialKey]) -> Value
    ) async throws(CredentialError) -> Value {
        try await store.reading { (table) throws(CredentialError) in
            try table.run("BEGIN")
            try table.run("SELECT pg_advisory_xact_lock(hashtext('clover profiles'), 0)")
            let before = try table.profiles()
            var profiles = before
            let value = body(&profiles)
            for name in before.keys where profiles[name] == nil {
                try table.run("DELETE FROM clover_state.profiles WHERE name = $1", [.text(name)])
            }
            for (name, key) in profiles where before[name] != key {
                try table.run(
                    """
                    INSERT INTO clover_state.profiles (environment, merchant, app, name) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (name) DO UPDATE SET environment = excluded.environment,
                        merchant = excluded.merchant, app = excluded.app
                    """, CredentialTable.arguments(key) + [.text(name)])
            }
            // Setting the same names again changes nothing, so a lost response needs no more than another try.
            try table.run("COMMIT")
            return value
        }
    }
}

package import CloverHTTP

extension Credential {
    /// The credential of a new sign-in, from the tokens that a code was exchanged for.
    ///
    /// - Parameters:
    ///   - code: what was exchanged; only its hash is kept.
    ///   - inKeyring: whether the tokens go into the desktop keyring.
    package init(
        key: CredentialKey, issued: IssuedTokens, origin: Origin, code: Secret? = nil, employeeID: String? = nil,
        inKeyring: Bool = false
    ) {
        self.init(
            key: key, kind: .oauth, accessToken: issued.accessToken, refreshToken: issued.refreshToken,
            accessTokenExpires: issued.accessTokenExpires, refreshTokenExpires: issued.refreshTokenExpires,
            createdAt: issued.askedAt.wall / 1000, employeeID: employeeID, origin: origin,
            codeHash: code.map { SecretHash.hexadecimal(of: $0) }, serverTime: issued.serverTime,
            bootTime: issued.askedAt.knownBoot, bootID: issued.askedAt.knownBootID, isInKeyring: inKeyring)
    }

    /// The credential of a legacy sign-in.
    package init(
        key: CredentialKey, legacy token: Secret, origin: Origin, now: TokenClock.Reading, code: Secret? = nil,
        employeeID: String? = nil, inKeyring: Bool = false
    ) {
        self.init(
            key: key, kind: .legacy, accessToken: token, createdAt: now.wall / 1000, employeeID: employeeID,
            origin: origin, codeHash: code.map { SecretHash.hexadecimal(of: $0) }, isInKeyring: inKeyring)
    }

    /// The same sign-in with the pair that its refresh token was spent for.
    ///
    /// A service that gave no new refresh token leaves none: the old one is dead.
    package func renewed(with issued: IssuedTokens) -> Credential {
        Credential(
            key: key, kind: kind, accessToken: issued.accessToken, refreshToken: issued.refreshToken,
            accessTokenExpires: issued.accessTokenExpires, refreshTokenExpires: issued.refreshTokenExpires,
            createdAt: createdAt, refreshedAt: issued.askedAt.wall / 1000, employeeID: employeeID, origin: .refresh,
            generation: generation + 1, codeHash: codeHash, serverTime: issued.serverTime,
            bootTime: issued.askedAt.knownBoot, bootID: issued.askedAt.knownBootID, isInKeyring: isInKeyring)
    }
}

extension TokenClock.Reading {
    /// The boot clock, unless nobody could tell later what it counted from.
    fileprivate var knownBoot: Int64? { bootID.isEmpty ? nil : boot }
    fileprivate var knownBootID: String? { bootID.isEmpty ? nil : bootID }
}

import CloverSystem
import Testing

@Suite("Rules of access and file systems")
struct RuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: AccessRule
        let owner: UInt32
        let mode: UInt32
        let refusal: FileRefusal?
    }

    @Test(
        "Owner and mode are judged",
        arguments: [
            Case(testDescription: "private file", rule: .secret, owner: 7, mode: 0o600, refusal: nil),
            Case(testDescription: "private directory", rule: .secret, owner: 7, mode: 0o700, refusal: nil),
            Case(testDescription: "group reads", rule: .secret, owner: 7, mode: 0o640, refusal: .looseMode(0o640)),
            Case(testDescription: "others read", rule: .secret, owner: 7, mode: 0o604, refusal: .looseMode(0o604)),
            Case(testDescription: "others execute", rule: .secret, owner: 7, mode: 0o601, refusal: .looseMode(0o601)),
            Case(testDescription: "group reads our own", rule: .own, owner: 7, mode: 0o755, refusal: nil),
            Case(
                testDescription: "group writes our own", rule: .own, owner: 7, mode: 0o620, refusal: .looseMode(0o620)),
            Case(
                testDescription: "others write our own", rule: .own, owner: 7, mode: 0o602, refusal: .looseMode(0o602)),
            Case(
                testDescription: "stranger's, however tight", rule: .secret, owner: 8, mode: 0o600,
                refusal: .foreignOwner(8, expected: 7)),
            Case(
                testDescription: "root's is a stranger's too", rule: .own, owner: 0, mode: 0o600,
                refusal: .foreignOwner(0, expected: 7)),
            Case(testDescription: "root's of the system", rule: .ownOrSystem, owner: 0, mode: 0o444, refusal: nil),
            Case(testDescription: "our own", rule: .ownOrSystem, owner: 7, mode: 0o644, refusal: nil),
            Case(
                testDescription: "others write the system's", rule: .ownOrSystem, owner: 0, mode: 0o666,
                refusal: .looseMode(0o666)),
            Case(
                testDescription: "neither ours nor root's", rule: .ownOrSystem, owner: 8, mode: 0o444,
                refusal: .foreignOwner(8, expected: 7)),
        ])
    func access(_ row: Case) {
        #expect(row.rule.refusal(owner: row.owner, mode: row.mode, user: 7) == row.refusal)
    }

    @Test("Network file systems are known by their numbers in statfs(2)")
    func networkFileSystems() {
        let expected: [UInt32: NetworkFileSystem] = [
            0x6969: .nfs, 0x517B: .smb, 0xFF53_4D42: .cifs, 0xFE53_4D42: .smb2, 0x0102_1997: .plan9,
            0x6573_5546: .fuse, 0x5346_414F: .afs, 0x6B41_4653: .kernelAFS, 0x00C3_6400: .ceph, 0x7375_7245: .coda,
            0x564C: .netware,
        ]
        #expect(expected.count == NetworkFileSystem.allCases.count)
        for (magic, kind) in expected { #expect(NetworkFileSystem(magic: magic) == kind) }
    }

    @Test("Local file systems are not taken for network ones")
    func localFileSystems() {
        // ext4, xfs, btrfs, tmpfs, overlayfs, f2fs, zfs
        for magic: UInt32 in [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1] {
            #expect(NetworkFileSystem(magic: magic) == nil)
        }
    }

    @Test("Errors name the path and the reason in one line")
    func descriptions() {
        #expect(
            StorageError.refused(path: "/x", .looseMode(0o644)).description
                == "cannot use /x: its mode 644 gives other users access")
        #expect(
            StorageError.system(.open, path: "/x", errno: 2).description == "cannot open /x: No such file or directory")
        #expect(
            StorageError.networkFileSystem(path: "/x", .nfs).description == "/x is on a network file system (NFS)")
    }
}

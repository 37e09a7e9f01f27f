import CloverExport
import CloverHTTP
import Testing

@Suite("export: addresses and settings of object stores")
struct ObjectAddressTests {
    @Test(
        "an address is a bucket, a prefix and an endpoint",
        arguments: [
            ("s3://shop", "s3://shop"), ("s3://shop/", "s3://shop"), ("s3://shop/a/b/", "s3://shop/a/b"),
            ("s3://shop/a?endpoint-url=http://127.0.0.1:9000/", "s3://shop/a?endpoint-url=http://127.0.0.1:9000"),
        ])
    func name(text: String, name: String) throws {
        #expect(try ObjectAddress(parsing: text)?.name == name)
    }

    @Test("a path or a database is no object store", arguments: ["/tmp/s3", "./s3:/x", "sqlite:shop.db"])
    func other(text: String) throws {
        #expect(try ObjectAddress(parsing: text) == nil)
    }

    @Test(
        "an address that cannot be used is refused",
        arguments: [
            ("s3://", ObjectAddress.Fault.bucket), ("s3://a b c/x", .bucket),
            ("s3://key:secret@shop/x", .hasCredentials),
            ("s3://shop/a//b", .prefix), ("s3://shop/../b", .prefix), ("s3://shop/a?x=1", .prefix),
            ("s3://shop?endpoint-url=ftp://x", .endpoint), ("s3://shop?endpoint-url=http://u:p@x", .hasCredentials),
            ("s3://shop?endpoint-url=http://x/path", .endpoint),
        ])
    func refused(text: String, fault: ObjectAddress.Fault) {
        #expect(throws: fault) { try ObjectAddress(parsing: text) }
    }

    private static let credentials = """
        [default]
        aws_access_key_id = D
        aws_secret_access_key = d

        # of the books
        [books]
        aws_access_key_id=B
        aws_secret_access_key=b=
        aws_session_token = t
        """
    private static let config = """
        [default]
        region = eu-west-1
        s3 =
            region = xx
        [profile books]
        endpoint_url = http://minio:9000
        """

    private func settings(_ variables: [String: String]) throws -> ObjectStoreSettings {
        try ObjectStoreSettings(variables: variables, home: "/home/u") { path in
            ["/home/u/.aws/credentials": Self.credentials, "/home/u/.aws/config": Self.config][path]
        }
    }

    @Test("keys come from the environment, then from the profile")
    func keys() throws {
        let usual = try settings([:])
        #expect(
            try usual.signature() == AWSSignature(accessKeyID: "D", secretAccessKey: Secret("d"), region: "eu-west-1"))
        #expect(usual.endpoint == nil)
        let books = try settings(["AWS_PROFILE": "books", "AWS_REGION": "us-west-2"])
        #expect(
            try books.signature()
                == AWSSignature(
                    accessKeyID: "B", secretAccessKey: Secret("b="), sessionToken: Secret("t"), region: "us-west-2"))
        #expect(books.endpoint == "http://minio:9000")
        let own = try settings([
            "AWS_PROFILE": "books", "AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "e",
            "AWS_ENDPOINT_URL": "http://own",
        ])
        #expect(
            try own.signature() == AWSSignature(accessKeyID: "E", secretAccessKey: Secret("e"), region: "us-east-1"))
        #expect(own.endpoint == "http://own")
    }

    @Test("missing keys, an unknown profile and a malformed region are named")
    func missing() throws {
        #expect(throws: ObjectStoreError.unknownProfile("x")) { try settings(["AWS_PROFILE": "x"]) }
        #expect(throws: ObjectStoreError.badRegion("a:b")) { try settings(["AWS_REGION": "a:b"]) }
        let none = try ObjectStoreSettings(variables: [:], home: nil) { _ in nil }
        #expect(throws: ObjectStoreError.noCredentials(profile: "default")) { try none.signature() }
    }
}

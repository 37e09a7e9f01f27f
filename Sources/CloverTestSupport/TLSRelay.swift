/// A TLS front for a plain loopback server, with a certificate that signs itself.
package final class TLSRelay: Sendable {
    /// The base URL, by the address that the certificate names.
    package let url: String
    /// The certificate in PEM, which a client has to be told to trust.
    package let certificate: String
    private let process: RunningCommand

    /// Makes a key and a certificate for 127.0.0.1 in `directory`, and relays a free port to `port`.
    package init(to port: Int, in directory: TemporaryDirectory) async throws {
        certificate = directory["certificate.pem"]
        let openssl = CommandRunner(executable: "/usr/bin/openssl", environment: [:])
        let made = try await openssl.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=clover test", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", directory["key.pem"], "-out", certificate,
        ])
        guard made.status == 0 else { throw CommandError.unreadable(made.description) }
        let script = try directory.write("relay.py", Self.script.utf8)
        var python = CommandRunner(executable: "/usr/bin/python3", environment: [:])
        python.limit = .seconds(600)
        process = try python.start([script, certificate, directory["key.pem"], String(port)])
        url = "https://127.0.0.1:\(try await process.firstLine())"
    }

    deinit { process.send(9) }

    private static let script = """
        import asyncio, ssl, sys

        certificate, key, port = sys.argv[1], sys.argv[2], int(sys.argv[3])

        async def copy(reader, writer):
            try:
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
            except OSError:
                pass
            writer.close()

        async def relay(reader, writer):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

        async def main():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            server = await asyncio.start_server(relay, "127.0.0.1", 0, ssl=context)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        asyncio.run(main())

        """
}

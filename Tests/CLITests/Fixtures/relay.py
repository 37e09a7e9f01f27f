"""Relays requests between a client and a service on this machine, and records every exchange as a line of JSON.

relay.py PORT RECORD MODE: forwards to 127.0.0.1:PORT, appends to the file RECORD. An exchange is written down before
its answer leaves, and it is finished even when the client is gone by then. The file MODE, when it is there, holds a
word that makes the answers to token calls hostile: they repeat whatever the client sent.
"""

import http.client
import http.server
import json
import os
import socket
import struct
import sys
import threading

UPSTREAM, RECORD, MODE = int(sys.argv[1]), sys.argv[2], sys.argv[3]
LOCK = threading.Lock()
DROPPED = {"connection", "keep-alive", "transfer-encoding", "content-length"}


def mode():
    try:
        with open(MODE, encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def note(**exchange):
    line = json.dumps(exchange) + "\n"
    with LOCK, open(RECORD, "a", encoding="utf-8") as file:
        file.write(line)


def hostile(word, text):
    """Status, headers and body that contain the text that was sent."""
    page = [("Content-Type", "text/html")]
    answers = {
        "message-400": (400, [], json.dumps({"message": "cannot use " + text})),
        "message-401": (401, [], json.dumps({"error": {"message": text}})),
        "message-403": (403, [], json.dumps({"details": text})),
        "text-400": (400, [("Content-Type", "text/plain")], text),
        "page-401": (401, page, "<html><body>" + text + "</body></html>"),
        "message-500": (500, [], json.dumps({"error_description": text})),
        "page-502": (502, page, "<html><body>" + text + "</body></html>"),
        "redirect-302": (302, [("Location", "/elsewhere?" + "".join(text.split()))], ""),
        "limit-429": (429, [("Retry-After", "3600")], json.dumps({"message": text})),
        "unreadable-200": (200, [], text + "}}"),
    }
    return answers[word]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *arguments):
        pass

    def relay(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = {
            "method": self.command,
            "target": self.path,
            "authorization": self.headers.get("Authorization"),
            "key": self.headers.get("Idempotency-Key"),
            "request": body.decode("utf-8", "replace"),
        }
        word = mode() if self.path.startswith("/oauth/") and self.command == "POST" else ""
        try:
            if word:
                status, headers, text = hostile(word, request["request"])
                data = text.encode()
            else:
                connection = http.client.HTTPConnection("127.0.0.1", UPSTREAM)
                kept = {name: value for name, value in self.headers.items() if name.lower() not in DROPPED}
                connection.request(self.command, self.path, body, kept)
                response = connection.getresponse()
                data = response.read()
                status, headers = response.status, response.getheaders()
                connection.close()
        except (OSError, http.client.HTTPException):
            note(**request, status=0, location=None, response="")
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            # The handler would still flush and shut down properly; the reset has to come first.
            os.close(self.connection.detach())
            return
        headers = [(name, value) for name, value in headers if name.lower() not in DROPPED]
        location = next((value for name, value in headers if name.lower() == "location"), None)
        note(**request, status=status, location=location, response=data.decode("utf-8", "replace"))
        try:
            self.send_response_only(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = relay


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass

    def shutdown_request(self, request):
        if request.fileno() >= 0:
            super().shutdown_request(request)


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()

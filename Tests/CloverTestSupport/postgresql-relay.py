"""Stands between a client and a PostgreSQL server, and disturbs them once at a statement.

    postgresql-relay.py FOLDER SERVER-FOLDER NUMBER SIDE ACTION

Listens on the usual socket in FOLDER and passes on to that in SERVER-FOLDER. At statement NUMBER (from 1, counted over all
connections; 0 for never) it does ACTION: kill (the client), stop (the client, until it gets SIGCONT), cut (both connections), or
crash (the server). Kill, stop and crash cut both connections, too. SIDE says when:
before the statement is passed on, or after the server answered it, whose answer is then lost.
With the action pool, it tells clients another process ID than the server's, as pgbouncer does. With slow, each answer comes 20 ms
later, and with late, the first one of each connection comes a second later.

Prints "ready", and "disturbed" when it has done so. The file FOLDER/count has the number of statements so far.
"""
import os, signal, socket, struct, sys, threading, time

folder, target, number, side, action = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
lock = threading.Lock()
count = 0


def is_moment():
    global count
    with lock:
        count += 1
        with open(os.path.join(folder, "count"), "w") as file:
            file.write(str(count))
        return count == number


def disturb(client, server):
    if action in ("kill", "stop"):
        pid = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        os.kill(pid, signal.SIGKILL if action == "kill" else signal.SIGSTOP)
    elif action == "crash":
        with open(os.path.join(target, "data", "postmaster.pid")) as file:
            os.kill(int(file.readline()), signal.SIGQUIT)
    close(client, server)
    print("disturbed", flush=True)


def close(*sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Connection:
    def __init__(self, client):
        self.client = client
        self.server = socket.socket(socket.AF_UNIX)
        self.answered = threading.Event()
        self.drops = False
        self.pools = action == "pool"
        try:
            self.server.connect(os.path.join(target, ".s.PGSQL.5432"))
        except OSError:
            close(client)
            client.close()
            return
        threading.Thread(target=self.answers, daemon=True).start()
        threading.Thread(target=self.requests, daemon=True).start()

    def answers(self):
        delay = {"slow": 0.02, "late": 1}.get(action, 0)
        try:
            while data := self.server.recv(65536):
                if self.drops:
                    self.answered.set()
                else:
                    # BackendKeyData: its length is 12, then the process ID and a key.
                    place = data.find(b"K\0\0\0\x0c") if self.pools else -1
                    if place >= 0:
                        data = data[: place + 5] + struct.pack("!I", 1) + data[place + 9 :]
                        self.pools = False
                    time.sleep(delay)
                    if action == "late":
                        delay = 0
                    self.client.sendall(data)
        except OSError:
            pass
        self.answered.set()
        close(self.client, self.server)

    def requests(self):
        data, started = b"", False
        try:
            while more := self.client.recv(65536):
                data += more
                while True:
                    start = 1 if started else 0
                    if len(data) < start + 4:
                        break
                    end = start + struct.unpack("!I", data[start : start + 4])[0]
                    if len(data) < end:
                        break
                    message, data = data[:end], data[end:]
                    # A statement ends with Sync, the rows of a COPY with CopyDone.
                    ends = started and message[:1] in (b"S", b"c")
                    # A client that asks for TLS begins once more.
                    started = started or struct.unpack("!I", message[4:8])[0] == 196608
                    if ends and is_moment():
                        if side == "after":
                            self.drops = True
                            self.server.sendall(message)
                            self.answered.wait(30)
                        disturb(self.client, self.server)
                        return
                    self.server.sendall(message)
        except OSError:
            pass
        close(self.client, self.server)


listener = socket.socket(socket.AF_UNIX)
listener.bind(os.path.join(folder, ".s.PGSQL.5432"))
listener.listen(64)
print("ready", flush=True)
while True:
    Connection(listener.accept()[0])

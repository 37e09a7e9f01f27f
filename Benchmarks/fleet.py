"""One turn of a fleet's rate limit, beside the sliding window that is usual with Redis.

Both servers have their usual settings, listen on loopback and are called by their own load generators. A turn is one call that
adds a request to the windows of its token and of the app. PostgreSQL gives it a time at which it may leave, so that it is
never refused; Redis keeps the requests of the last second in sorted sets, and would refuse those above the limit.
"""

import csv
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import databases

TOKENS = 8
CLIENTS = (1, 8, 64, 200)
# As high as the windows of `clover` may be, so that times are not given too far ahead.
LIMIT = 400
OURS = "clover, PostgreSQL"
REDIS = "a Lua script, Redis"
TURN = f"""\\set token random(1, {TOKENS})
SELECT * FROM clover_state.admit(ARRAY['token-' || :token, 'app'], ARRAY[{LIMIT}, {LIMIT}], ARRAY[0, 0]::bigint[], 1, 4000000, false);
"""
WINDOW = """local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for _, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, 0, now - 1000000)
    if redis.call('ZCARD', key) >= tonumber(ARGV[1]) then return 0 end
end
local number = redis.call('INCR', 'number')
for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, now, number)
    redis.call('PEXPIRE', key, 2000)
end
return 1"""


def turns_of_postgresql(server, clients, seconds):
    """Turns per second, and the milliseconds of each turn."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "turn.sql")
        with open(script, "w", encoding="ascii") as file:
            file.write(TURN)
        subprocess.run(
            [f"{server.programs}/pgbench", "--no-vacuum", "--file", script, "--client", str(clients), "--jobs", "1", "--time",
             str(seconds), "--protocol", "prepared", "--log", "--log-prefix", os.path.join(folder, "turns"), "--host",
             "127.0.0.1", "--port", str(server.port), "--username", "bench", "bench"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times = []
        for name in os.listdir(folder):
            if name.startswith("turns"):
                with open(os.path.join(folder, name), encoding="ascii") as file:
                    times += [int(line.split()[2]) / 1000 for line in file]
    return len(times) / seconds, times


def turns_of_redis(port, clients, rate, seconds):
    """The same, for about as many turns as take `seconds` at this rate: turns per second, median and 99 %."""
    output = subprocess.run(
        ["redis-benchmark", "-p", str(port), "-c", str(clients), "-n", str(int(rate * seconds)), "-r", str(TOKENS), "--csv",
         "EVAL", WINDOW, "2", "token-__rand_int__", "app", str(10**9)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    row = list(csv.DictReader(output[output.index('"test"'):].splitlines()))[-1]
    return float(row["rps"]), float(row["p50_latency_ms"]), float(row["p99_latency_ms"])


class Redis:
    """A Redis server on loopback that keeps everything in memory."""

    def __init__(self, port):
        self.folder = tempfile.mkdtemp(prefix="clover-redis-", dir="/tmp")
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder],
            stdout=subprocess.DEVNULL)
        for _ in range(100):
            if subprocess.run(["redis-cli", "-p", str(port), "ping"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit("bench: Redis does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def measure(environment, program, ports, seconds):
    """The lines of the table. Each number of clients is measured with both servers, one after the other."""
    lines = ["| clients | server | turns per second | median, ms | 99 % within, ms |", "|---|---|---|---|---|"]
    server, redis = databases.Server(port=ports[0]), Redis(ports[1])
    try:
        server.empty()
        address = f"postgresql://bench@127.0.0.1:{server.port}/bench"
        subprocess.run([program, "state", "init", "--quiet"], env=environment | {"CLOVER_STATE": address}, check=True)
        for clients in CLIENTS:
            rate, times = turns_of_postgresql(server, clients, seconds)
            found = {OURS: (rate, statistics.median(times), sorted(times)[len(times) * 99 // 100])}
            rate, _, _ = turns_of_redis(ports[1], clients, 5000, 1)
            found[REDIS] = turns_of_redis(ports[1], clients, rate, seconds)
            for name, (rate, median, most) in found.items():
                lines.append(f"| {clients} | {name} | {rate:.0f} | {median:.2f} | {most:.2f} |")
                print(f"bench: turns of {clients} clients, {name}: {rate:.0f} in a second", flush=True)
    finally:
        server.stop()
        redis.stop()
    return lines

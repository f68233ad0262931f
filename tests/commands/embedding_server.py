"""A server of embeddings for tests, by the standard library, on this machine alone.

    embedding_server.py HOME [CERTIFICATE KEY]

writes HOME/port (and HOME/tls, a second port, with a certificate), listens on HOME/socket too,
keeps a line a request in HOME/log and ends with HOME, or after five minutes. The first part of a
path names how it behaves (http://127.0.0.1:PORT/MODE/v1). The vector of a text is (its bytes, 1).
The modes that stop after some requests answer again once there is a file HOME/go."""
import gzip, http.server, json, os, socketserver, ssl, sys, threading, time

home = sys.argv[1]
log = open(home + "/log", "a", buffering=1)
counts = {}
BOMB = gzip.compress(b'{"data":[{"embedding":[' + b"[]," * 5_000_000 + b"[]]}]}", 9)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *_):
        pass

    def address_string(self):
        return "local"

    def answer(self, code, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, code, message, **headers):
        self.answer(code, {"error": {"message": message}}, **headers)

    def do_GET(self):
        mode = self.path.split("/")[1]
        if self.path.endswith("/v1/models") and mode == "plain":
            return self.answer(200, {"data": [{"id": "the-model"}]})
        self.refuse(501 if mode in ("model", "plain") else 404, "no list")

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        if length > 1 << 20:
            return self.refuse(413, "too much")
        body = json.loads(self.rfile.read(length))
        texts, path = body["input"], self.path.split("?")[0]
        mode = path.split("/")[1]
        counts[mode] = counts.get(mode, 0) + 1
        log.write("%s %d %s %s\n" % (mode, len(texts), self.path, body.get("model")))
        if not path.endswith("/embeddings") or (mode == "bare" and path != "/bare/v1/embeddings"):
            return self.refuse(404, "no such page")
        if mode in ("long400", "long422", "long500") and any(len(t) > 20 for t in texts):
            return self.refuse(int(mode[4:]), "input is longer than 20")
        if mode == "batch" and len(texts) > 4:
            return self.refuse(413, "at most 4 inputs")
        if mode == "busy" and counts[mode] <= 2 or mode == "minute" and counts[mode] in (1, 3):
            return self.refuse(429, "slow down", Retry_After="1")
        if mode == "model" and "model" not in body:
            return self.refuse(400, "model is required")
        if mode == "moved":
            return self.answer(307, b"", Location="https://elsewhere.example/v1/embeddings")
        if mode == "header" and self.headers["api-key"] != "sesame-4712":
            return self.refuse(401, "wrong key %s" % self.headers["api-key"])
        if mode == "echo":
            return self.refuse(403, "not with %s" % self.headers["api-key"])
        if mode == "bomb":
            return self.answer(200, BOMB, Content_Encoding="gzip")
        if mode == "endless":
            return self.answer(200, gzip.compress(b"[" * 200_000_000, 9), Content_Encoding="gzip")
        stops = {"twice": 3, "hangs": 2}.get(mode)
        if stops and counts[mode] >= stops and not os.path.exists(home + "/go"):
            return threading.Event().wait(300) if mode == "hangs" else self.refuse(403, "no more")
        if mode == "meanwhile" and counts[mode] == 1:
            with open("late.csv", "w") as file:
                file.write("mine\n")
        dims = 2 if mode == "two" else body.get("dimensions", 2)
        vectors = [[1 if mode == "same" else len(t.encode())] + [1] * (dims - 1) for t in texts]
        self.answer(200, {"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)]})


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def serve(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def write(name, port):
    with open(home + "/new", "w") as file:
        print(port, file=file)
    os.rename(home + "/new", home + "/" + name)


serve(UnixServer(home + "/socket", Handler))
if len(sys.argv) > 2:
    secure = Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    write("tls", serve(secure))
write("port", serve(Server(("127.0.0.1", 0), Handler)))
end = time.monotonic() + 300
while os.path.exists(home) and time.monotonic() < end:
    time.sleep(0.5)

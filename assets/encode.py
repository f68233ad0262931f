#!/usr/bin/env python3
"""A server of embeddings on this machine, with OpenAI's API (POST /v1/embeddings, GET /v1/models):

    pip install sentence-transformers
    python3 encode.py [MODEL] [--port PORT] [--host HOST]
    isogloss encode --encoder http://127.0.0.1:8000/v1 en=en.txt de=de.txt --out set.npy

MODEL is a name or folder for sentence-transformers (default sentence-transformers/LaBSE), or
FILE.py:NAME, a function that returns a list of vectors for a list of sentences."""
import argparse
import http.server
import json
import runpy
import sys
import threading


def load(name):
    """The function that encodes a list of sentences."""
    file, _, function = name.rpartition(":")
    if file.endswith(".py"):
        return runpy.run_path(file)[function]
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        sys.exit("encode.py: pip install sentence-transformers, or name a function as FILE.py:NAME")
    return SentenceTransformer(name).encode


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, message):
        self.close_connection = True  # the body may not be read
        self.answer(status, {"error": {"message": message}})

    def do_GET(self):
        if self.path != "/v1/models":
            return self.refuse(404, "unknown path %s (expected /v1/models)" % self.path)
        self.answer(200, {"object": "list", "data": [{"id": self.server.model, "object": "model"}]})

    def do_POST(self):
        if self.path != "/v1/embeddings":
            return self.refuse(404, "unknown path %s (expected /v1/embeddings)" % self.path)
        try:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            texts = [texts] if isinstance(texts, str) else texts
            if not texts or not all(isinstance(text, str) for text in texts):
                raise ValueError
        except (ValueError, TypeError, KeyError):
            return self.refuse(400, "expected a JSON object with 'input', a text or a list of texts")
        try:
            with self.server.lock:  # one batch at a time
                rows = [[float(x) for x in row] for row in self.server.encode(texts)]
        except Exception as error:
            return self.refuse(500, "%s: %s" % (type(error).__name__, error))
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        self.answer(200, {"object": "list", "model": self.server.model, "data": data})

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description="A server of embeddings with OpenAI's API.")
    parser.add_argument("model", nargs="?", default="sentence-transformers/LaBSE")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0: a free one")
    options = parser.parse_args()
    encode = load(options.model)
    with http.server.ThreadingHTTPServer((options.host, options.port), Handler) as server:
        server.model, server.encode, server.lock = options.model, encode, threading.Lock()
        print("http://%s:%d/v1" % server.server_address[:2], flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()

# An encoder for isogloss: isogloss encode --encoder "python3 encode.py MODEL" en=en.txt --out set.npy
import json, os, sys
from sentence_transformers import SentenceTransformer

model = SentenceTransformer(sys.argv[1] if len(sys.argv) > 1 else "sentence-transformers/LaBSE")
rest = b""
while chunk := os.read(0, 1 << 20):  # all lines received so far: a batch
    *lines, rest = (rest + chunk).split(b"\n")
    for vector in model.encode([json.loads(line)["text"] for line in lines]) if lines else []:
        print(json.dumps({"embedding": vector.tolist()}))
    sys.stdout.flush()

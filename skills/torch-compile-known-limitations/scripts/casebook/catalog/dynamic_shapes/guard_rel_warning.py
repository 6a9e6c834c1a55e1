import logging
import re

import torch

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import captured_facts, observe


class Lines(logging.Handler):
    """Keeps what the log of symbolic shapes says."""

    def __init__(self):
        super().__init__()
        self.texts, self.logger = [], logging.getLogger("torch.fx.experimental.symbolic_shapes")

    def emit(self, record):
        self.texts.append((record.levelno, record.getMessage()))

    def __enter__(self):
        self.level = self.logger.level
        self.logger.setLevel(logging.INFO)
        self.logger.addHandler(self)
        return self

    def __exit__(self, *exception):
        self.logger.removeHandler(self)
        self.logger.setLevel(self.level)


def logged(run):
    with Lines() as lines:
        report = run()
    sizes = [size for graph in report.graphs for i in graph.inputs for size in i.shape]
    either_or = [text for _, text in lines.texts if re.match(r"eval Eq\(.*\) \| Eq\(", text)]
    return captured_facts(
        dynamic_sizes=lambda: len({size for size in sizes if isinstance(size, str)}),
        guards=lambda: sum("[guard added]" in text for _, text in lines.texts),
        either_or=lambda: [text.partition(" [")[0] for text in either_or],
        warnings=lambda: [text for level, text in lines.texts if level >= logging.WARNING],
    )


def symptom(device):
    """Decode with a KV cache that grows, from contexts of two lengths."""
    config = TotoConfig.tiny(cache="cat", blocks=2)
    model = make_model(config, device=device)
    calls = [(make_batch(config, patches=size, device=device).series, 3) for size in (6, 8)]

    def compile_decoder(model):
        model.decoder.compile(backend="eager", dynamic=True)
        return model.generate

    return logged(lambda: observe(model, calls, compile=compile_decoder))


def remedy(device):
    """Give every variate of every series its own row of a table that has one for all."""

    def rows_for(table_ND, series_BVL):
        B, V, _ = series_BVL.shape
        return table_ND.expand(B * V, -1) * 2

    calls = [(torch.ones(B * 3, 8), torch.ones(B, 3, 16)) for B in (4, 5)]
    on_device = [tuple(tensor.to(device) for tensor in call) for call in calls]
    return logged(lambda: observe(rows_for, on_device, dynamic=True))


def shows(report):
    facts = report.facts
    silent = not facts["warnings"] and not facts["either_or"]
    return silent and facts["guards"] > 0 and facts["dynamic_sizes"] > 1

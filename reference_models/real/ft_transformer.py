"""FTTransformer in training, on numbers, categories and lists of categories, of pytorch-frame."""

import random

import pandas
import torch
from torch_frame import NAStrategy, stype
from torch_frame.data import DataLoader, Dataset
from torch_frame.nn import (
    EmbeddingEncoder,
    FTTransformer,
    LinearEncoder,
    MultiCategoricalEmbeddingEncoder,
)


def films():
    """A table of 120 films; some numbers are missing, and a film has any number of genres."""
    draw = random.Random(0)
    genres = ["drama", "comedy", "crime", "war", "music"]
    return pandas.DataFrame(
        {
            "year": [float(draw.randint(1950, 2020)) for _ in range(120)],
            "budget": [draw.choice([None, draw.random()]) for _ in range(120)],
            "country": [draw.choice(["fr", "in", "us"]) for _ in range(120)],
            "genres": [draw.sample(genres, draw.randint(1, 3)) for _ in range(120)],
            "actors": [draw.sample("abcdefgh", draw.randint(0, 4)) for _ in range(120)],
            "score": [draw.random() for _ in range(120)],
        }
    )


def example():
    """Two sizes of the batch, trained on."""
    torch.manual_seed(0)
    columns = {
        "year": stype.numerical,
        "budget": stype.numerical,
        "country": stype.categorical,
        "genres": stype.multicategorical,
        "actors": stype.multicategorical,
        "score": stype.numerical,
    }
    dataset = Dataset(films(), columns, target_col="score")
    dataset.materialize()
    frame = dataset.tensor_frame
    model = FTTransformer(
        channels=32,
        out_channels=1,
        num_layers=2,
        col_stats=dataset.col_stats,
        col_names_dict=frame.col_names_dict,
        stype_encoder_dict={
            stype.numerical: LinearEncoder(na_strategy=NAStrategy.MEAN),
            stype.categorical: EmbeddingEncoder(),
            stype.multicategorical: MultiCategoricalEmbeddingEncoder(),
        },
    )
    calls = [(next(iter(DataLoader(frame, batch_size=size))),) for size in (16, 24)]
    return model, calls, lambda score: score.square().mean()

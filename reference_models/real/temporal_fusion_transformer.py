"""TemporalFusionTransformer in training, a forecaster of time series, of pytorch-forecasting."""

import pandas
import torch
from pytorch_forecasting import TemporalFusionTransformer, TimeSeriesDataSet
from pytorch_forecasting.metrics import QuantileLoss


def sales():
    """The sales of four shops on 60 days."""
    torch.manual_seed(0)
    days = list(range(60))
    return pandas.concat(
        [
            pandas.DataFrame(
                {
                    "day": days,
                    "weekday": [str(day % 7) for day in days],
                    "shop": shop,
                    "price": torch.rand(60).numpy(),
                    "sales": (10 + torch.rand(60) * 5).numpy(),
                }
            )
            for shop in "abcd"
        ],
        ignore_index=True,
    )


def example():
    """Two lengths of the history and of the forecast, trained on."""
    training = TimeSeriesDataSet(
        sales(),
        time_idx="day",
        target="sales",
        group_ids=["shop"],
        min_encoder_length=8,
        max_encoder_length=20,
        min_prediction_length=2,
        max_prediction_length=6,
        static_categoricals=["shop"],
        time_varying_known_categoricals=["weekday"],
        time_varying_known_reals=["day", "price"],
        time_varying_unknown_reals=["sales"],
        add_relative_time_idx=True,
        add_target_scales=True,
        add_encoder_length=True,
    )
    model = TemporalFusionTransformer.from_dataset(
        training, hidden_size=16, attention_head_size=2, dropout=0.1, loss=QuantileLoss()
    )
    batches = [
        next(
            iter(
                TimeSeriesDataSet.from_dataset(
                    training, sales(), max_encoder_length=history, max_prediction_length=ahead
                ).to_dataloader(train=True, batch_size=8)
            )
        )
        for history, ahead in ((20, 6), (14, 4))
    ]
    calls = [(inputs,) for inputs, _ in batches]
    return model, calls, lambda output: output.prediction.square().mean()

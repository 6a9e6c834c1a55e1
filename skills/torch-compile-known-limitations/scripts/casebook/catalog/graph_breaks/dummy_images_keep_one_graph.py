import torch

from reference_models.vlm import VLMConfig, make_batch, make_model
from validators.probes import observe


def forward(device, images_for_text):
    """Batches with and without images in turn; without, logits must be those of text alone."""
    config = VLMConfig.tiny(vit_blocks=1, lm_blocks=1)
    batch = make_batch(config, batch_size=4, device=device)
    text = batch.input_ids.where(batch.input_ids != config.image_token_id, 1)
    calls = [(batch.input_ids, batch.images), (text, images_for_text(batch.images))] * 2

    def compile_and_check(model):
        compiled = torch.compile(model, backend="eager")

        def run(input_ids, images):
            logits, _ = compiled(input_ids, images)
            if input_ids is text:
                torch.testing.assert_close(logits, model(input_ids, None)[0])
            return logits

        return run

    return observe(make_model(config, device=device), calls, compile=compile_and_check)


def symptom(device):
    return forward(device, images_for_text=lambda images: None)


def remedy(device):
    return forward(device, images_for_text=torch.zeros_like)


def shows(report):
    assert report.exception is None, report.exception
    compiled = [call.compiled for call in report.calls]
    assert compiled in ([1, 0, 0, 0], [1, 1, 0, 0]), compiled
    return compiled == [1, 1, 0, 0]

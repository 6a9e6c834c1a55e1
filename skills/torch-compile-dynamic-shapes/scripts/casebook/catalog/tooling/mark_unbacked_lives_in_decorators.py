from validators.probes import api_places


def symptom(device):
    return api_places("torch._dynamo.mark_unbacked")


def remedy(device):
    return api_places("torch._dynamo.decorators.mark_unbacked")


def shows(report):
    return not all(report.facts.values())

import multiprocessing

import torch

from validators.probes import captured_facts


def look_up(table_VD, ids_T):
    return table_VD[ids_T] * 2


def serve(threads, log):
    """A request with valid ids, then one with an id too large, which a server would refuse."""
    torch.set_num_threads(threads)
    compiled = torch.compile(look_up)
    table_VD = torch.randn(200, 64)
    compiled(table_VD, torch.arange(200))
    log.send("served")
    try:
        compiled(table_VD, torch.arange(1, 201))
    except (IndexError, RuntimeError) as error:
        # What stands before it is the path of a generated file.
        log.send("refused: " + "".join(str(error).partition("index out of bounds")[1:]))


def in_child(threads):
    # The process may not survive, so it is not this one.
    fork = multiprocessing.get_context("fork")
    reader, writer = fork.Pipe(duplex=False)
    child = fork.Process(target=serve, args=(threads, writer))
    child.start()
    writer.close()
    child.join()
    lines = []
    while reader.poll():
        try:
            lines.append(reader.recv())
        except EOFError:
            break
    return {"exitcode": child.exitcode, "log": " / ".join(lines)}


def symptom(device):
    return captured_facts(server=lambda: in_child(threads=2))


def remedy(device):
    return captured_facts(server=lambda: in_child(threads=1))


def shows(report):
    server = report.facts["server"]
    if server["exitcode"] == 0:
        return "index out of bounds" not in server["log"]
    return server["exitcode"] == -6 and server["log"] == "served"

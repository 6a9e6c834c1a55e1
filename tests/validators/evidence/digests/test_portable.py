"""What evidence says of where packages lie."""

from validators.evidence.digests.portable import portable


def test_no_folder_above_the_packages_is_kept():
    """In any text of a report; other paths and values stay."""
    report = {
        "graph_breaks": [
            {
                "type": "'skip function step in file /home/a/.venv/lib/python3.10/site-packages/"
                "torch/optim/lr_scheduler.py'",
                "line": 7,
            },
            {"type": 'File "/root/model/vlm.py", line 367, in forward'},
        ],
        "exception": None,
        "facts": {"flags": ("-I/opt/x/dist-packages/torch/include -I/usr/include", 0.5)},
    }
    assert portable(report) == {
        "graph_breaks": [
            {
                "type": "'skip function step in file site-packages/torch/optim/lr_scheduler.py'",
                "line": 7,
            },
            {"type": 'File "vlm.py", line 367, in forward'},
        ],
        "exception": None,
        "facts": {"flags": ["-Idist-packages/torch/include -I/usr/include", 0.5]},
    }

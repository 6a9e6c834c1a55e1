"""What looks like a secret, whatever stands before it: services give theirs a form."""

from __future__ import annotations

import re

_BEGINNINGS = (
    *(
        "hf_",
        "gh[oprsu]_",
        "github_pat_",
        "glpat-",
        "gl(?:ptt|rt|dt|sa)[-_]",
        "sk-",
        "gsk_",
        "xai-",
    ),
    *(
        "xox[abeoprs]-",
        "xapp-",
        "AKIA",
        "ASIA",
        "AIza",
        "nvapi-",
        "pplx-",
        "dop_v1_",
        r"ya29\.",
        r"hvs\.",
    ),
    *("[rs]k_(?:live|test)_", "whsec_", "shp(?:at|ca|pa|ss)_", "lin_api_", "dckr_pat_", "figd_"),
)
SHAPES = re.compile(
    rf"\b(?:{'|'.join(_BEGINNINGS)})[\w-]{{8,}}"
    r"|\b(?:npm_|r8_)(?=\w*\d)[A-Za-z0-9]{16,}"
    r"|\bpypi-(?=[\w-]*\d)[\w-]{16,}"
    r"|\bdapi[0-9a-f]{32}"
    r"|\bSG\.[\w-]{16,}\.[\w-]{16,}"
    r"|\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
    # Who may read an address, with a password that holds "@" or "/" as it should not.
    r"|(?<=://)[^/\s'\"]+(?=@)"
    r"|(?<=://)[^/\s:@'\"]*:(?!\d+/)[^\s@'\"]+(?=@)"
    r"|(?<=hooks\.slack\.com/services/)[\w/-]+"
    r"|(?<=/api/webhooks/)\d+/[\w-]+"
    r"|(?i:(?<=[?&]sig=)|(?<=[?&]key=)|(?<=signature=)|(?<=-credential=)|(?<=-security-token=))"
    r"[^\s&'\"]{8,}"
    r"|(?i:(?<=accountkey=)|(?<=accesskey=))[\w+/=]{8,}"
    r"|(?i:(?<=bearer ))[\w.~+/-]{8,}"
)

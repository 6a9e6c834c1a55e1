"""What reports leave out: folders, names of users and machines, and secrets."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from validators.diagnose.masking.mask import masked


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("/home/ada/work/model.py:3", "model.py:3"),
        ("/home/ada/.cache/x", "~/.cache/x"),
        ("/Users/ada/x", "~/x"),
        ("C:\\Users\\ada\\x.py", "~\\x.py"),
        ("/opt/env/lib/python3.11/site-packages/timm/a.py", "site-packages/timm/a.py"),
        ("hf_abcdefghijklmnop", "***"),
        ("https://ada:secret@host/x", "https://***@host/x"),
        ("call with token=abc123", "call with token=***"),
        ('password = "hunter2"; print(password)', 'password = "***"; print(password)'),
        ("api_key: str = 'abc'", "api_key: str = '***'"),
        ("self.db_password: Optional[str] = f'{a}b'", "self.db_password: Optional[str] = f'***'"),
        ('{"client_secret": "abc", "x": "y"}', '{"client_secret": "***", "x": "y"}'),
        ('{\\"api-key\\": \\"abc\\"}', '{\\"api-key\\": \\"***\\"}'),
        ("os.environ['HF_TOKEN'] = 'abc'", "os.environ['HF_TOKEN'] = '***'"),
        ("Authorization: Bearer abcdefgh1234", "Authorization: Bearer ***"),
        ("pad_token = '<pad>'", "pad_token = '<pad>'"),
        ("secret = load(path)", "secret = load(path)"),
        ("an innocent text", "an innocent text"),
    ],
)
def test_private_words_are_masked(said, left):
    """Wherever they stand in the data."""
    assert masked({"a": [said]}, Path("/home/ada/work")) == {"a": [left]}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ('token = "abcdefgh-12"; print(token)', 'token = "***"; print(token)'),
        ('login(token="abcdefgh-12")', 'login(token="***")'),
        ('session_token: str = "abcdefgh"', 'session_token: str = "***"'),
        ('{"accessToken": "abcdefgh"}', '{"accessToken": "***"}'),
        ("x = 1  # pwd = 'abc'", "x = 1  # pwd = '***'"),
        ('passwd = """abc"""; f("x")', 'passwd = """***"""; f("x")'),
        ('passwd = """abc\ndef"""; f("x")', 'passwd = """***\n***"""; f("x")'),
        ('client_secret = ("abc")', 'client_secret = ("***")'),
        ('if password == "abc": pass', 'if password == "***": pass'),
        ('password = ""; name = "x"', 'password = ""; name = "x"'),
        (r'password = "a\"b"; f("x")', 'password = "***"; f("x")'),
        ('password = "cut off', 'password = "***'),
        ('k = "-----BEGIN PRIVATE KEY-----ab+c"; f()', 'k = "***"; f()'),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nab\n-----END RSA PRIVATE KEY-----\nx",
            "***\n***\n***\nx",
        ),
        ('f("--api-key abc", "--token", "abc")', 'f("--api-key ***", "--token", "***")'),
        ("train --hf-token=abc --steps 3", "train --hf-token=*** --steps 3"),
        ("nvapi-abcdefgh0123", "***"),
        ("npm_abcdefgh01234567", "***"),
        ("dop_v1_abcdefgh0123", "***"),
        ("ya29.abcdefgh0123", "***"),
        ("pypi-abcdefgh01234567", "***"),
        ("r8_abcdefgh01234567", "***"),
    ],
)
def test_a_secret_is_masked_in_code(said, left):
    """Whatever quotes, parentheses, types and lines it has; the code around it stays."""
    assert masked(said, Path("/work")) == left


@pytest.mark.parametrize(
    "said",
    [
        "token = tokens[0]",
        "f(token=tokens[0], password=getpass())",
        "f(max_tokens=5, pad_token=pad)",
        'tokenizer = "gpt2-medium-long"',
        'pad_token = "<|endoftext|>"',
        'mask_token = "[MASKED-TOKEN]"',
        'token = "the"',
        'tokens = "a long line of words"',
        'token = "a long line of words"',
        "password = getpass()",
        'if token == "transformer": pass',
        'parser.add_argument("--token", "-t", help="yours")',
        "npm_config_registry pypi-publish-action disk-cache r8_layer",
        "cwd = '/tmp/x'",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_code_about_tokens_stays(said):
    """Tokens of a vocabulary, calls, and names that only begin alike."""
    assert masked(said, Path("/work")) == said


def test_a_key_is_masked_over_the_lines_of_an_excerpt():
    """Also if its first or its last line is not part of it."""
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    key = ["-----BEGIN PRIVATE KEY-----", body, "abc+d==", "-----END PRIVATE KEY-----"]
    whole = ["x = 1", f'k = """{key[0]}', *key[1:3], f'{key[3]}"""', "y = 2"]
    assert masked(whole, Path("/work")) == ["x = 1", 'k = """***', "***", "***", '***"""', "y = 2"]
    assert body not in str(masked(whole[2:], Path("/work")))
    assert key[2] not in str(masked(whole[2:], Path("/work")))
    assert body not in str(masked(whole[:3], Path("/work")))


def test_a_user_is_masked_in_any_folder(monkeypatch):
    """By the name of the account or of its home; nobody else's, and no usual folder."""
    monkeypatch.setenv("HOME", "/nas/carol")
    monkeypatch.setenv("USER", "data")
    text = "/data/users/carol/x /scratch/a/carol '/x/carol' /data/users/carola/x /d/caroline.py"
    left = "/data/users/***/x /scratch/a/*** '/x/***' /data/users/carola/x /d/caroline.py"
    assert masked(text, Path("/work")) == left
    monkeypatch.setenv("USER", "ada")
    assert masked("/scratch/ada/x", Path("/work")) == "/scratch/***/x"


def test_a_home_elsewhere_is_masked(tmp_path, monkeypatch):
    """Under all its names, and not what only begins like it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    text = f"{tmp_path}/link/a {tmp_path}/real/b {tmp_path}/really {tmp_path}/real"
    assert masked(text, Path("/work")) == f"~/a ~/b {tmp_path}/really ~"
    monkeypatch.setenv("HOME", "/")
    assert masked("/a/b", Path("/work")) == "/a/b"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("ASIAIOSFODNN7EXAMPLE AKIAIOSFODNN7EXAMPLE", "*** ***"),
        ("ghs_16C7e42F292c6912 glsa_16C7e42F292c6912", "*** ***"),
        ("xapp-1-A012-3456789-abcdef", "***"),
        ("sk_live_4eC39HqLyjWDarjt", "***"),
        ("SG.ngeVfQFYQlKU0ufo8x5d.TwL2iGABf9DHoTf-09kq", "***"),
        ("https://deadbeef1234@github.com/x", "https://***@github.com/x"),
        ("redis://:hunter2@cache:6379/0", "redis://***@cache:6379/0"),
        ("postgres://ada:p@ss:word@db/x", "postgres://***@db/x"),
        ("postgres://ada:p/ss@db/x", "postgres://***@db/x"),
        ("https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/services/***"),
        ("https://a.net/x?v=2&sig=abc%2Fdef12", "https://a.net/x?v=2&sig=***"),
        ("https://a.net/x?X-Amz-Signature=fe5f80f7", "https://a.net/x?X-Amz-Signature=***"),
        ("AccountKey=Eby8vdM02xNO/w==;Endpoint", "AccountKey=***;Endpoint"),
        ("AWS_SECRET_ACCESS_KEY=wJalrX/bPx", "AWS_SECRET_ACCESS_KEY=***"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = ***"),
        ("password: hunter2!", "password: ***"),
        ("passwd=hunter2", "passwd=***"),
        ("password 'hunter2' refused", "password '***' refused"),
        ("Authorization: Basic dXNlcjpw==", "Authorization: Basic ***"),
        ("{'Authorization': 'Basic dXNlcjpw=='}", "{'Authorization': 'Basic ***'}"),
        ("X-Api-Key: abcdef12", "X-Api-Key: ***"),
        ("write to ada.l@lab.example.org", "write to ***"),
    ],
)
def test_a_secret_is_masked_in_a_message(said, left):
    """By the form of a service's tokens, in an address, a setting, a header or a sentence."""
    assert masked(said, Path("/work")) == left


@pytest.mark.parametrize(
    "said",
    [
        "q@k.org(1) x@self.net y = a@b",
        "https://github.com/ada/model@main http://localhost:8080/a@b",
        "git+https://host/a/b@v1.2 git@github.com:ada/model",
        "MAX_TOKENS=512 PAD_TOKEN=pad TOKENIZERS_PARALLELISM=false TOKEN=None",
        "token = Wav2Vec2CTCTokenizerFast(x)",
        "secret_key = self.config.Model2",
        "password: str, api_key: SecretStr",
        "PWD=/tmp/x",
        "risk-averse disk_live_array",
        "basic transformer_encoder_layer",
    ],
)
def test_code_that_looks_like_a_secret_stays(said):
    """Matrix products, addresses with versions, counts of tokens, calls and types."""
    assert masked(said, Path("/work")) == said


def test_keys_of_data_are_masked():
    """The part `cudagraphs` counts by the sentences of torch."""
    assert masked({"skipped at /home/ada/x.py": 1}, Path("/work")) == {"skipped at ~/x.py": 1}


def test_a_user_is_masked_where_torch_writes_it(monkeypatch):
    """In the name of Inductor's folder and among variables; not as a word of code."""
    monkeypatch.setenv("HOME", "/nas/carol")
    text = "/tmp/torchinductor_carol/x.py USER=carol self.carol carol@w.T"
    left = "/tmp/torchinductor_***/x.py USER=*** self.carol carol@w.T"
    assert masked(text, Path("/work")) == left
    monkeypatch.setenv("USER", "carol-7")
    assert masked("by carol-7, not carol-70", Path("/work")) == "by ***, not carol-70"


@pytest.mark.parametrize(
    ("host", "said", "left"),
    [
        ("gpu-17.lab", "[gpu-17] ada@gpu-17.lab.example:~$ gpu-170", "[***] ***:~$ gpu-170"),
        ("marvin", "marvin = ada@marvin tcp://marvin:29500", "marvin = *** tcp://***:29500"),
        ("localhost", "tcp://localhost:29500", "tcp://localhost:29500"),
    ],
)
def test_the_machines_name_is_masked(host, said, left, monkeypatch):
    """With its domain and the user before it; a plain word only where an address begins."""
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    assert masked(said, Path("/work")) == left


def test_secrets_of_the_environment_are_masked(monkeypatch):
    """Wherever a program printed them; what is no secret by its name stays, and so do words."""
    monkeypatch.setenv("MY_DB_PASSWORD", "correct-horse-9")
    monkeypatch.setenv("WANDB_KEY", "correct-horse-99")
    monkeypatch.setenv("SECRET_BACKEND", "inductor")
    monkeypatch.setenv("SSH_KEY", "/home2/key-1")
    monkeypatch.setenv("KEYBOARD", "layout-12345")
    text = "(correct-horse-9) correct-horse-99 inductor /home2/key-1 layout-12345"
    assert masked(text, Path("/work")) == "(***) *** inductor /home2/key-1 layout-12345"


def test_a_folder_is_left_out_where_a_path_begins():
    """Not where another path has its name inside."""
    said = "/tmp/model.py, in '/tmp/a/b.py', beside /srv/tmp/model.py"
    assert masked(said, Path("/tmp")) == "model.py, in 'a/b.py', beside /srv/tmp/model.py"

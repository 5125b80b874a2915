"""Checks who may include whom in src/spindrift, where intrinsics may be, and that tracked files name no machine's folders.

    python3 check_layers.py <root of the repository>      prints what is wrong; exit code 1 if anything is
"""
import re
import subprocess
import sys
from pathlib import Path

# Bottom up. A file includes its own folder and lower rows, never a neighbour in its row.
ROWS = ["core", "params particles ranks", "neighbors geometry image", "collision emitters forces grid", "fluid", "mac constraints",
        "pbf flip surface whitewater", "bodies render", "lod", "scene io", "cache filling", "health", "sim", "stages"]
ROW = {folder: row for row, folders in enumerate(ROWS) for folder in folders.split()}
INTRINSICS = re.compile(r"\b(?:_mm\d*_\w+|\w*mmintrin\.h)")
MACHINE_PATH = re.compile(r"/(?:work|home|root|Users)/\w")


def check_source(path, name, text):
    """Problems of one file of src/spindrift, `name` being its path from there."""
    folder = name.split("/")[0]
    if path.suffix == ".h" and not text.startswith("#pragma once\n"):
        yield "does not start with #pragma once"
    is_kernel = name.endswith(("_kernels.cpp", "_kernels.h")) or name == "core/simd.h"
    if not is_kernel and (found := INTRINSICS.search(text)):
        yield f"uses {found.group()}: intrinsics belong in core/simd.h and files named *_kernels.cpp or *_kernels.h"
    for included in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', text, re.MULTILINE):
        parts = included.split("/")
        if parts[0] == "spindrift":
            if parts[1] not in ROW:
                yield f"includes {included}, whose folder has no row in check_layers.py"
            elif parts[1] != folder and ROW[parts[1]] >= ROW.get(folder, -1):
                yield f"includes {included}, which is not below {folder}"
        if parts[0] in ("tbb", "oneapi") and name != "core/parallel.cpp":
            yield f"includes {included}: only core/parallel.cpp knows the threading library"
        if included == "spindrift/core/simd.h" and not is_kernel:
            yield "includes core/simd.h but is not named *_kernels.cpp or *_kernels.h"
        if parts[0] == "nlohmann" and path.suffix != ".cpp":
            yield f"includes {included} in a header"


def component(name):
    """A header and its source are one."""
    return name.rsplit(".", 1)[0]


def find_cycles(graph):
    """Groups of components that include each other, by Tarjan's algorithm without recursion."""
    order, low, on_path, path, groups = {}, {}, set(), [], []
    for root in sorted(graph):
        work = [(root, iter(sorted(graph[root])))] if root not in order else []
        while work:
            node, others = work[-1]
            if node not in order:
                order[node] = low[node] = len(order)
                path.append(node)
                on_path.add(node)
            for other in others:
                if other not in order:
                    work.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in on_path:
                    low[node] = min(low[node], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    group = path[path.index(node):]
                    del path[path.index(node):]
                    on_path.difference_update(group)
                    if len(group) > 1:
                        groups.append(sorted(group))
    return groups


def check_cycles(base, files):
    graph = {}
    for path in files:
        own = component(path.relative_to(base).as_posix())
        included = re.findall(r'^\s*#\s*include\s*"spindrift/([^"]+)"', path.read_text(), re.MULTILINE)
        graph.setdefault(own, set()).update(component(name) for name in included if component(name) != own)
    for group in find_cycles(graph):
        yield f"these include each other: {', '.join(group)}; what they share belongs in a header of its own"


def check_tree(root):
    base = root / "src/spindrift"
    files = sorted(p for p in base.rglob("*") if p.suffix in (".h", ".cpp"))
    toml_users = []
    for path in files:
        name, text = path.relative_to(base).as_posix(), path.read_text()
        if name.split("/")[0] not in ROW:
            yield f"src/spindrift/{name}: its folder has no row in check_layers.py"
        if "#include <toml++/" in text:
            toml_users.append(name)
        yield from (f"src/spindrift/{name}: {problem}" for problem in check_source(path, name, text))
    yield from check_cycles(base, files)
    if len(toml_users) != 1:
        yield f"toml++ belongs in exactly one file, not in: {', '.join(toml_users) or 'none'}"
    if not files:
        yield f"no sources under {base}"


def check_machine_paths(root):
    """Nothing to check outside a git work tree, as in an unpacked release."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=root, capture_output=True)
    for name in filter(None, listing.stdout.decode().split("\0")):
        path = root / name
        for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else [], 1):
            found = MACHINE_PATH.search(line.decode(errors="replace"))
            if found:
                yield f"{name}:{number}: a path of one machine: {found.group()}..."


if __name__ == "__main__":
    root = Path(sys.argv[1])
    problems = [*check_tree(root), *check_machine_paths(root)]
    print("\n".join(problems) or "includes go down only")
    sys.exit(bool(problems))

"""Checks that documents hold together: decisions are in their index, tables have one shape, links lead somewhere.

    python3 check_documents.py <root of the repository>      prints what is wrong; exit code 1 if anything is
"""
import re
import sys
from pathlib import Path

RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
CELL_END = re.compile(r"(?<!\\)\|")
LINK = re.compile(r"\]\(([^)#\s]+)")


def documents(root):
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "benchmarks/**/*.md"):
        yield from sorted(root.glob(pattern))


def prose(path):
    """Lines by number, those of code left out; an empty one at the end."""
    is_code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        is_code ^= line.startswith("```")
        yield number, "" if is_code else line
    yield number + 1, ""


def check_tables(path):
    rows = []
    for number, line in prose(path):
        if line.startswith("|"):
            rows.append(line)
            continue
        if rows and (len(rows) < 2 or not RULE.fullmatch(rows[1].rstrip())):
            yield f"{number - len(rows)}: a table without a rule under its first line"
        elif len({len(CELL_END.findall(row)) for row in rows}) > 1:
            yield f"{number - len(rows)}: the rows of this table differ in their columns"
        rows = []


def check_links(path):
    for number, line in prose(path):
        for target in LINK.findall(line):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{number}: there is no {target}"


def check_decisions(root):
    folder = root / "docs/decisions"
    index = (folder / "README.md").read_text()
    numbers = {}
    for page in sorted(folder.glob("[0-9]*.md")):
        if not re.search(rf"^- \[{page.name[:4]} .*\]\({re.escape(page.name)}\)$", index, re.MULTILINE):
            yield f"docs/decisions/README.md: does not list {page.name}"
        other = numbers.setdefault(page.name[:4], page.name)
        if other != page.name:
            yield f"docs/decisions/{page.name}: has the number of {other}"


def check(root):
    for path in documents(root):
        name = path.relative_to(root)
        yield from (f"{name}:{problem}" for problem in [*check_tables(path), *check_links(path)])
    yield from check_decisions(root)


if __name__ == "__main__":
    problems = list(check(Path(sys.argv[1])))
    print("\n".join(problems) or "documents hold together")
    sys.exit(bool(problems))

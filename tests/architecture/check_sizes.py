"""Checks that files, functions and classes stay small enough to be read at once.

    python3 check_sizes.py <root of the repository>          prints what is too large; exit code 1 if anything is
    python3 check_sizes.py <root of the repository> --list   prints the largest of each kind

Braces are matched after comments and literals are blanked. What a brace opens follows from the text before it, which
clang-format has brought into one shape: a body has a space before its brace, a value has none or stands after "=".
"""
import re
import sys
from pathlib import Path

MOST_FILE_LINES = 500
MOST_FUNCTION_LINES = 60
MOST_DATA_MEMBERS = 25

# Parameters are one flat struct for each section of a scene.
HAS_PARAMETERS = re.compile(r"(?:^|/)(?:\w*_)?params(?:_\w+)?\.(?:h|cpp)$")
BLANKED = re.compile(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                     r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b")
NO_DATA = re.compile(r"^(?:using|friend|typedef|static|template|namespace|extern|class|struct|union|enum)\b|\boperator\b")


def blanked(text):
    """The text with comments, literals and preprocessor lines as spaces, a literal's quotes kept; lines stay."""
    def blank(match):
        spaces = re.sub(r"[^\n]", " ", match.group())
        return f'"{spaces[1:-1]}"' if match.group()[0] in "R\"'" else spaces
    return BLANKED.sub(blank, text)


def without_groups(text, pairs):
    """The text without what is between brackets, innermost first."""
    for bracket in pairs:
        pattern = re.compile(rf"\{bracket[0]}[^\{bracket[0]}\{bracket[1]}]*\{bracket[1]}")
        while pattern.search(text):
            text = pattern.sub("", text)
    return text


def count_data(statement):
    """Data members that a statement in a class declares."""
    statement = re.sub(r"\b(?:public|private|protected)\s*:", "", statement).strip()
    if not statement or NO_DATA.search(statement):
        return 0
    plain = without_groups(statement, ("{}", "<>", "[]"))
    if "(" in plain.split("=")[0] and "(*" not in plain:
        return 0
    return 1 + without_groups(plain, ("()",)).count(",")


def kind_of(head, before, parens):
    """What a brace opens: a scope, a function, or a value in the midst of a statement."""
    if parens or head.endswith(("=", ",", "return")) or not before.isspace():
        return "value"
    words = without_groups(head, ("<>",))
    if "(" not in words and (found := SCOPE.search(words)):
        return found.group(1)
    return "function" if "(" in words else "value"


class Reader:
    """Goes through a file once and keeps a stack of open braces; functions are not looked into."""

    def __init__(self, text):
        self.functions, self.classes = [], []
        self.text, self.stack, self.start = blanked(text), [], 0
        parens = 0
        for at, c in enumerate(self.text):
            inside = bool(self.stack) and self.stack[-1]["kind"] in ("function", "value", "enum")
            if c in "()" and not inside:
                parens += 1 if c == "(" else -1
            elif c == "{":
                head = self.text[self.start:at].strip()
                kind = "value" if inside else kind_of(head, self.text[at - 1], parens)
                self.stack.append({"kind": kind, "head": head, "first": self.line(self.first_of(self.start)), "data": 0})
                if kind not in ("value", "function", "enum"):
                    self.start = at + 1
            elif c == "}":
                self.close(at)
            elif c == ";" and not inside and not parens:
                if self.stack:
                    self.stack[-1]["data"] += count_data(self.text[self.start:at])
                self.start = at + 1
        if self.stack or parens:
            raise ValueError("its braces do not match")

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def first_of(self, at):
        """Where the statement that begins here has its first letter, access words left out."""
        return re.compile(r"(?:\s|\b(?:public|private|protected)\s*:)*").match(self.text, at).end()

    def close(self, at):
        scope = self.stack.pop()
        inside = bool(self.stack) and self.stack[-1]["kind"] in ("function", "value", "enum")
        if scope["kind"] == "function":
            name = re.sub(r"\s+", " ", scope["head"].split("(")[0]).split(" ")[-1]
            self.functions.append((self.line(at) - scope["first"] + 1, scope["first"], name))
        elif scope["kind"] in ("class", "struct", "union"):
            words = without_groups(scope["head"], ("<>",))
            name = re.search(r"\b(?:class|struct|union)\b\s*(?:alignas\S*\s*)?([\w:]*)", words).group(1)
            self.classes.append((scope["data"], scope["first"], name))
        if scope["kind"] != "value" and not inside:
            self.start = at + 1


def sources(root):
    for folder in ("src", "apps", "tests", "benchmarks", "examples", "scripts"):
        yield from sorted(p for p in (root / folder).rglob("*") if p.suffix in (".h", ".cpp", ".py"))


def measure(root):
    """Sizes with their limit, place and words for them."""
    for path in sources(root):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        yield text.count("\n"), MOST_FILE_LINES, name, "lines in a file"
        if path.suffix == ".py":
            continue
        try:
            reader = Reader(text)
        except ValueError as problem:
            sys.exit(f"{name}: {problem}")
        for size, line, function in reader.functions:
            yield size, MOST_FUNCTION_LINES, f"{name}:{line}", f"lines in the function {function}"
        if not HAS_PARAMETERS.search(name):
            for size, line, type_name in reader.classes:
                yield size, MOST_DATA_MEMBERS, f"{name}:{line}", f"data members in {type_name or 'a struct'}"


if __name__ == "__main__":
    sizes = list(measure(Path(sys.argv[1])))
    if "--list" in sys.argv:
        for limit in (MOST_FILE_LINES, MOST_FUNCTION_LINES, MOST_DATA_MEMBERS):
            for size, _, place, what in sorted((s for s in sizes if s[1] == limit), reverse=True)[:12]:
                print(f"{size:5} {what}: {place}")
        sys.exit()
    problems = [f"{place}: {size} {what}, {limit} at most" for size, limit, place, what in sizes if size > limit]
    if not any(limit == MOST_FUNCTION_LINES for _, limit, _, _ in sizes):
        problems.append("no functions were found")
    print("\n".join(problems) or "files, functions and classes are small enough")
    sys.exit(bool(problems))

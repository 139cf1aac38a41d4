# SPDX-License-Identifier: BSL-1.0
"""Classes of mutations that no test can tell from the unchanged header. The mutator does not make them.

Each rule has a sentence, a function that tells whether a mutation is in the class, and a control: a few lines of C++, a
mutation of them that the rule skips, and another that must still be made. `run --check` asks every control.
"""
import re

NUMBER, OPERATION = "number", "operation"
SOFTER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}  # they differ where both sides are equal


class Page:
    """A header: its text, the same with comments and strings blanked, and what the rules look up in it.

    `numbered` and `sized` are the names that numbered_enumerations() and sized_arrays() found in all headers and tests."""

    def __init__(self, text, code, numbered, sized):
        self.text, self.code, self.numbered, self.sized = text, code, numbered, sized
        self.taken = taken_lines(text)
        self.unevaluated = list(unevaluated(code))

    def line_of(self, at):
        first = self.code.rfind("\n", 0, at) + 1
        return self.code[first : (self.code.find("\n", at) + 1 or len(self.code) + 1) - 1], at - first


def closing(code, at):
    """The place of the bracket that closes the one at `at`."""
    pairs, depth = {"(": ")", "{": "}", "[": "]", "<": ">"}, 0
    for k in range(at, len(code)):
        depth += (code[k] == code[at]) - (code[k] == pairs[code[at]])
        if depth == 0:
            return k
    return len(code)


# ---- Where a mutation stands ----

KNOWN = {"__cpp_exceptions": 199711, "__clang__": 1, "__clang_major__": 22, "__GNUC__": 4, "__cplusplus": 202002}


def taken_lines(text):
    """Of each line, whether the mutator's compiler (a clang 22 for the host, with exceptions) reads it."""
    taken, stack = [], []  # of each open #if: whether this branch is read, whether one has been
    for line in text.split("\n"):
        taken.append(all(now for now, _ in stack))
        found = re.match(r"[ \t]*#\s*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", line)
        if not found:
            continue
        word, condition = found.group(1), re.sub(r"//.*", "", found.group(2)).strip()
        if word == "endif":
            stack.pop()
            continue
        if word in ("ifdef", "ifndef"):
            holds = (condition in KNOWN) == (word == "ifdef")
        elif word == "else":
            holds = True
        else:
            names = re.sub(r"defined\s*\(?(\w+)\)?", lambda name: str(int(name.group(1) in KNOWN)), condition)
            names = re.sub(r"__has_builtin\s*\(\w+\)", "0", names)  # of a device: the host's clang has none of them
            names = re.sub(r"__has_include\s*\(<[\w./]+>\)", "1", names)  # the host has what a header may ask for
            names = re.sub(r"\b[A-Za-z_]\w*", lambda name: str(KNOWN.get(name.group(), 0)), names)
            names = names.replace("&&", " and ").replace("||", " or ")
            names = re.sub(r"(?<=\d)[UL]+\b", "", re.sub(r"!(?!=)", " not ", names))
            holds = bool(eval(names, {"__builtins__": {}}))  # numbers and comparisons alone
        if word in ("elif", "else"):
            _, before = stack.pop()
            holds = holds and not before
            stack.append((holds, before or holds))
        else:
            stack.append((holds, holds))
    return taken


def unevaluated(code):
    """The places (from, to) of operands of which only the type counts."""
    for found in re.finditer(r"\bdecltype\(", code):
        yield found.end() - 1, closing(code, found.end() - 1)
    for found in re.finditer(r"(?:[=&|(!{,]|\breturn|\brequires)\s*\brequires\s*(?=[({])", code):
        at = found.end()
        if code[at] == "(":
            at += re.match(r"\s*", code[closing(code, at) + 1 :]).end() + closing(code, at) + 1 - at
        if code[at : at + 1] != "{":
            continue  # a requires-clause
        at, end = at + 1, closing(code, at)
        while at < end:  # requirement by requirement; a nested `requires` is evaluated
            last = next((k for k in range(at, end) if code[k] == ";" and code[at:k].count("{") == code[at:k].count("}")), end)
            if not re.match(r"\s*requires\b", code[at:last]):
                yield at, last
            at = last + 1


def numbered_enumerations(pages):
    """The enumerations whose order means something: compared, or turned into a number or from one."""
    names = {name for text in pages for name in re.findall(r"\benum class (\w+)", text)}
    numbered, variables = set(), set()
    for text in pages:
        numbered |= set(re.findall(r"static_cast<(?:\w+::)*(\w+)>\(", text))
        for pair in re.findall(r"[<>]=? (?:\w+::)*(\w+)::\w+\b(?!<)|\b(\w+)::\w+ [<>]=? ", text):
            numbered |= set(pair)
        variables |= set(re.findall(r"static_cast<(?:unsigned|int|std::\w+|char)>\((?:\w+[.])*(\w+)\)", text))
    for text in pages if variables else []:
        numbered |= set(re.findall(rf"\b(\w+)(?: const)?(?: |&)+(?:{'|'.join(sorted(variables))})\b", text))
    return numbered & names


def sized_arrays(texts):
    """The arrays whose size is asked for, and those members that a range-for walks over."""
    return {name for text in texts for pair in re.findall(r"\bstd::size\((?:\w+[.:]+)*(\w+)\)|\bfor \([^;()]*: (?:\w+[.])+(\w+)\)", text)
            for name in pair if name}


# ---- Expressions ----


def left_of(code, at, stops=(",", ";", "{", "}", "?", "=", ":", "&&", "||")):
    """The operand to the left of the operator at `at`."""
    depth = 0
    for k in range(at - 1, -1, -1):
        depth += (code[k] in ")]") - (code[k] in "([")
        if depth < 0 or depth == 0 and is_a_stop(code, k, stops):
            return re.sub(r"^\s*return\b", "", code[k + 1 : at])
    return re.sub(r"^\s*return\b", "", code[:at])


def right_of(code, at, stops):
    """What stands from `at` to one of the stops outside brackets, and where that is."""
    depth = 0
    for k in range(at, len(code)):
        depth += (code[k] in "([{") - (code[k] in ")]}")
        if depth < 0 or depth == 0 and (code[k] == ";" or is_a_stop(code, k, stops)):
            return code[at:k], k
    return code[at:], len(code)


def is_a_stop(code, k, stops):
    if code[k] in "&|":
        return code[k] * 2 in stops and code[k] in (code[k - 1], code[k + 1])
    return code[k] in stops and ":" not in (code[k - 1], code[k + 1] if code[k] == ":" else "")


def plain(words):
    """Without spaces, conversions and outer brackets."""
    words = re.sub(r"static_cast<[^<>]*>(?:\((\w+)\))?", lambda found: found.group(1) or "", re.sub(r"\s+", "", words))
    while words.startswith("(") and closing(words, 0) == len(words) - 1:
        words = words[1:-1]
    return words


def parts_of(words, operator):
    """The operands of a chain of one operator."""
    parts, depth, begun = [], 0, 0
    for k, c in enumerate(words):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and words.startswith(operator, k):
            parts.append(plain(words[begun:k]))
            begun = k + len(operator)
    return [*parts, plain(words[begun:])]


def asserted_in(text):
    """The conditions that the static_asserts of a text leave true."""
    text, holds = re.sub(r'"(?:\\.|[^"\\\n])*"', '"', text), set()
    for found in re.finditer(r"\bstatic_assert\s*\(", text):
        condition = plain(text[found.end() : closing(text, found.end() - 1)]).split(',"')[0]
        holds |= {plain(condition), *parts_of(condition, "&&")}
        either = parts_of(condition, "||")
        if len(either) == 2 and either[0].startswith("!") and either[0][1:] in holds:
            holds.add(either[1])
    return holds


# ---- The rules ----


def is_order_of_names(page, of):
    """The order of an enumeration's names, where the headers neither compare nor number them."""
    before = page.code.rfind("enum class ", 0, of.start)
    if of.kind != "swap" or before < 0 or not before < of.start < closing(page.code, page.code.find("{", before)):
        return False
    return re.match(r"enum class (\w+)", page.code[before:]).group(1) not in page.numbered


def is_spare_room(page, of):
    """One element more in what `new` makes, or in an array (not of characters) that no range-for and no std::size looks at."""
    if of.kind != NUMBER or int(of.new, 0) < int(page.code[of.start : of.end].replace("'", ""), 0):
        return False
    line, at = page.line_of(of.start)
    opened = line.rfind("[", 0, at)
    if opened < 0 or closing(line, opened) < at or line[opened : opened + 2] == "[[":
        return False
    if re.search(r"\bnew [\w:]+$", line[:opened]):
        return True
    name = re.search(r"(\w+)(?:\[[^\]]*\])*$", line[:opened])
    declarator = re.split(r", ", line[:opened])[-1]
    declares = re.match(r"\s*(?:(?:static|constexpr|inline|const)\s+)*(?!return\b|using\b|else\b|case\b|throw\b|delete\b)"
                        r"[\w:]+(?:<[^;()]*>)?(?: const)?(?: |\*|&)+\w+\s*[\[=,;{]", line)
    after = line[closing(line, opened) + 1 :].lstrip()
    return bool(declares and name and name.group(1) not in page.sized and not re.search(r"[=.(]|\bchar\b", declarator) and (after == "" or after[0] in "[=,;{")
                and not re.search(rf"\bfor \([^;()]*: (?:\w+[.])*{name.group(1)}\)", page.code))


def is_room_for_letters(page, of):
    """Room for one letter more in a co::text, or for one less of 500 and more, which no text of ours fills."""
    line, at = page.line_of(of.start)
    found = next((each for each in re.finditer(r"\btext<(.*?)>", line) if each.start(1) <= at < each.end(1)), None)
    if of.kind != NUMBER or not found:
        return False
    was = int(page.code[of.start : of.end].replace("'", ""), 0)
    return int(of.new, 0) > was or was >= 500


def is_tie(page, of):
    """A comparison that is turned where both sides are equal, and then either answer is the same number: the lesser or
    greater of two, a difference that is 0, a number and its negative at 0."""
    was = page.code[of.start : of.end]
    if of.kind != OPERATION or SOFTER.get(was) != of.new:
        return False
    a = plain(left_of(page.code, of.start))
    b, at = right_of(page.code, of.end, "?,:)")
    b = plain(b)
    if at < len(page.code) and page.code[at] == "?":
        yes, at = right_of(page.code, at + 1, ":")
        no, _ = right_of(page.code, at + 1, ",:?")
        yes, no = plain(yes), plain(no)
        differences = {f"{a}-{b}", f"{b}-{a}"}
        return ({yes, no} == {a, b} or yes == "0" and no in differences or no == "0" and yes in differences
                or b == "0" and yes in (f"0u-{no}", f"-{no}") and no == a)
    given = re.match(r"\)\s*([^;=]*[^;=!<>+*/|&^-])=([^;=]+);", page.code[at:])
    return bool(given and re.search(r"\bif \($", page.code[: of.start - len(left_of(page.code, of.start))])
                and {plain(given.group(1)), plain(given.group(2))} == {a, b})


def is_a_turned_comparison(page, of):
    """A bound off by one that the turned comparison beside it is already: `n < 3` as `n < 4`, which is `n <= 3`."""
    if of.kind != NUMBER:
        return False
    before = re.search(r" (<=?|>=?) $", page.code[max(of.start - 4, 0) : of.start])
    after = re.match(r"(?:u|ull)?(?:[);,]| \?| &&| \|\|)", page.code[of.end : of.end + 8])
    more = int(of.new, 0) > int(page.code[of.start : of.end].replace("'", ""), 0)
    return bool(before and after) and more == (before.group(1) in ("<", ">="))


def is_asserted(page, of):
    """`and` as `or` where each condition stands in a static_assert above, in the same function: what would differ does not
    compile."""
    if of.kind != OPERATION or page.code[of.start : of.end] != "&&":
        return False
    left, right = left_of(page.code, of.start, ",;{}?=:"), right_of(page.code, of.end, ",;?:")[0]
    before = page.code[: of.start - len(left)]
    if not re.search(r"(?<!else )if constexpr \($", before) and not before.endswith("return"):
        return False
    asserted = asserted_in(page.text[max(page.code.rfind("\n}", 0, of.start), 0) : of.start])
    return all(part in asserted for part in parts_of(left + "&&" + right, "&&"))


def is_unevaluated(page, of):
    """An operand of which only the type counts: in decltype, or in a requirement that is not a nested `requires`."""
    return of.kind in (NUMBER, OPERATION) and any(a <= of.start < b for a, b in page.unevaluated)


def is_hash(page, of):
    """Which slot of a hash table a number is looked for in first: the line that multiplies by 2^64 over the golden ratio."""
    line, at = page.line_of(of.start)
    return of.kind in (NUMBER, OPERATION) and "0x9e3779b97f4a7c15" in line.replace("'", "") and page.code[of.start : of.end] != "%"


def is_not_compiled(page, of):
    """A branch of an #if for device code, for MSVC, or without exceptions: tests/toolchain compiles those."""
    return not page.taken[of.line - 1]


RULES = [is_order_of_names, is_spare_room, is_room_for_letters, is_tie, is_a_turned_comparison, is_asserted, is_unevaluated,
         is_hash, is_not_compiled]


def rule_of(page, of):
    """The rule that spares a mutation; None: it is made."""
    return next((rule for rule in RULES if rule(page, of)), None)


# Of each rule: lines of C++, lines as a mutation that it spares leaves them, and as one that must still be made.
CONTROLS = {
    is_order_of_names: [
        ("enum class home { near, far, lost };", "enum class home { far, near, lost };", None),
        ("enum class home { near, far, lost };\nbool is_far(home at) { return at > home::near; }", None, "enum class home { far, near, lost };"),
        ("enum class home { near, far, lost };\nunsigned of(home at) { return names[static_cast<unsigned>(at)]; }", None,
         "enum class home { far, near, lost };"),
        ("enum class home { near, far, lost };\nhome both[] = {near, far};", None, "home both[] = {far, near};"),
    ],
    is_spare_room: [
        ("  unsigned first[64] = {}, last = 0;", "  unsigned first[65] = {}, last = 0;", "  unsigned first[63] = {}, last = 0;"),
        ("  nodes_ = new node[4 * capacity_];", "  nodes_ = new node[5 * capacity_];", "  nodes_ = new node[3 * capacity_];"),
        ("  unsigned of[3] = {};\n  for (unsigned one : of) sum += one;", None, "  unsigned of[4] = {};"),
        ("  unsigned of[3] = {};\n  static_assert(std::size(map.of) == 3);", None, "  unsigned of[4] = {};"),
        ("  last = first[3];", None, "  last = first[4];"),
        ("  return first[3] = 1;", None, "  return first[4] = 1;"),
        ("  unsigned const last = all[3];", None, "  unsigned const last = all[4];"),
        ("  unsigned one = 1, last = all[3];", None, "  unsigned one = 1, last = all[4];"),
        ("  char name[26] = {};", None, "  char name[27] = {};"),
    ],
    is_room_for_letters: [
        ("  text<1400> out;", "  text<1399> out;", None),
        ("  text<20 * (Rows + 1)> out;", "  text<20 * (Rows + 2)> out;", "  text<19 * (Rows + 1)> out;"),
        ("  text<1400> out = row(1400);", "  text<1401> out = row(1400);", "  text<1400> out = row(1399);"),
    ],
    is_tie: [
        ("  return a < b ? a : b;", "  return a <= b ? a : b;", None),
        ("  most = sum + x.a > words[1] ? sum + x.a : words[1];", "  most = sum + x.a >= words[1] ? sum + x.a : words[1];", None),
        ("  left = all > taken ? all - taken : 0;", "  left = all >= taken ? all - taken : 0;", "  left = all > taken ? all + taken : 0;"),
        ("  return n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n);",
         "  return n <= 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n);", None),
        ("  if (top > most) most = top;", "  if (top >= most) most = top;", None),
        ("  if (top > most) most = top + 1;", None, "  if (top >= most) most = top + 1;"),
        ("  return a < b ? a : c;", None, "  return a <= b ? a : c;"),
        ("  left = all > taken ? all - taken : 1;", None, "  left = all >= taken ? all - taken : 1;"),
        ("  if (a < b) return a;", None, "  if (a <= b) return a;"),
    ],
    is_a_turned_comparison: [
        ("  if (n < 3) return;", "  if (n < 4) return;", "  if (n < 2) return;"),
        ("  if (n > 3) return;", "  if (n > 2) return;", "  if (n > 4) return;"),
        ("  if (n < 3 * k) return;", None, "  if (n < 4 * k) return;"),
        ("  if (n == 3) return;", None, "  if (n == 4) return;"),
    ],
    is_asserted: [
        ("bool f() {\n  static_assert(wide);\n  static_assert(known<A>, \"why\");\n  return wide && known<A>;\n}",
         "  return wide || known<A>;", None),
        ("bool f() {\n  static_assert(wide);\n  return wide && known<A>;\n}", None, "  return wide || known<A>;"),
        ("bool f() {\n  static_assert(wide || known<A>);\n  return wide && known<A>;\n}", None, "  return wide || known<A>;"),
        ("bool f() {\n  static_assert(wide);\n  static_assert(!wide || known<A>, \"why\");\n  if constexpr (wide && known<A>) return;\n}",
         "  if constexpr (wide || known<A>) return;", None),
        ("bool f() {\n  static_assert(wide && known<A>);\n}\nbool g() {\n  return wide && known<A>;\n}", None, "  return wide || known<A>;"),
    ],
    is_unevaluated: [
        ("concept c = requires(T t) { { t.size() == 1 } -> boolean; requires T::n == 2; };",
         "concept c = requires(T t) { { t.size() == 0 } -> boolean; requires T::n == 2; };",
         "concept c = requires(T t) { { t.size() == 1 } -> boolean; requires T::n == 3; };"),
        ("  if (narrow<decltype(of(0u))> && of(0u) == 5) return;", "  if (narrow<decltype(of(1u))> && of(0u) == 5) return;",
         "  if (narrow<decltype(of(0u))> && of(1u) == 5) return;"),
    ],
    is_hash: [
        ("  slot = (number * 0x9e37'79b9'7f4a'7c15 >> 32) % slots;", "  slot = (number * 0x9e37'79b9'7f4a'7c15 >> 33) % slots;",
         "  slot = (number * 0x9e37'79b9'7f4a'7c15 >> 32) / slots;"),
        ("  slot = (number * 0x9e37'79b9'7f4a'7c17 >> 32) % slots;", None, "  slot = (number * 0x9e37'79b9'7f4a'7c17 >> 33) % slots;"),
    ],
    is_not_compiled: [
        ("#if defined(__CUDA_ARCH__) || defined(_MSC_VER)\n  a = 1;\n#elif defined(__cpp_exceptions)\n  b = 1;\n#else\n  c = 1;\n#endif\n  d = 1;",
         "  a = 2;", "  b = 2;"),
        ("#ifndef __cpp_exceptions\n  a = 1;\n#endif\n  d = 1;", "  a = 2;", "  d = 2;"),
        ("#if !defined(_MSC_VER) && __clang_major__ < 23\n  a = 1;\n#else\n  c = 1;\n#endif", "  c = 2;", "  a = 2;"),
    ],
}

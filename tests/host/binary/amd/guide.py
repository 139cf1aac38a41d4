#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The rows of AMD's opcodes of integers beside the pseudocode of AMD's own guides.

guide.py PROGRAM GUIDE... [--break]     PROGRAM is coalesce.binary.folded; GUIDE is a table of pseudocode

A table is str_pcode.py of tinygrad (tinygrad/runtime/autogen/amd/cdna, rdna3, rdna4), which its generate.py makes of the PDFs that AMD
publishes: the guides of CDNA 4, RDNA 3.5 and RDNA 4. It is not part of this repository. Each row whose opcode the guide has is evaluated
on the operands that PROGRAM prints, and compared with its result, and with SCC or the carry. --break reads each < as <=, as a control.
"""
import re
import subprocess
import sys

TOKEN = re.compile(r"\s*(?:(\d+'(?:0x[0-9a-fA-F]+|\d+)?[UIBFL]*)|(0x[0-9a-fA-F]+(?:ULL|LL|U|L)?|\d+(?:ULL|LL|U|L)?)|([A-Za-z_]\w*)|"
                   r"(<<|>>|<=|>=|==|!=|<>|&&|\|\||[-+*/%&|^~!?:<>(){}\[\].,;=]))")


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


class Unsupported(Exception):
    pass


def typed(x, kind):
    """x read as a type of the guide: u32, i32, b64, u1 and the like."""
    if kind[0] not in "uib" or not kind[1:].isdigit():
        raise Unsupported(kind)
    bits = int(kind[1:])
    return signed(x, bits) if kind[0] == "i" else x & ((1 << bits) - 1)


class Expression:
    LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<>"], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]

    def __init__(self, text, names, strict):
        self.tokens, self.names, self.strict, at = [], names, strict, 0
        text = text.strip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise Unsupported(text[at:at + 10])
            self.tokens.append(found.group().strip())
            at = found.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected=None):
        token = self.peek()
        if expected is not None and token != expected:
            raise Unsupported(f"{token} for {expected}")
        self.at += 1
        return token

    def choice(self):
        condition = self.level(0)
        if self.peek() != "?":
            return condition
        self.take()
        first = self.choice()
        self.take(":")
        second = self.choice()
        return first if condition else second

    def level(self, depth):
        if depth == len(self.LEVELS):
            return self.unary()
        left = self.level(depth + 1)
        while self.peek() in self.LEVELS[depth]:
            what = self.take()
            right = self.level(depth + 1)
            if what == "<" and not self.strict:
                what = "<="
            if what in ("<<", ">>") and not 0 <= right < 4096:
                raise Unsupported("a shift by a negative number")
            left = {"||": lambda: int(bool(left or right)), "&&": lambda: int(bool(left and right)), "|": lambda: left | right,
                    "^": lambda: left ^ right, "&": lambda: left & right, "==": lambda: int(left == right),
                    "!=": lambda: int(left != right), "<>": lambda: int(left != right), "<": lambda: int(left < right),
                    "<=": lambda: int(left <= right), ">": lambda: int(left > right), ">=": lambda: int(left >= right),
                    "<<": lambda: left << right, ">>": lambda: left >> right, "+": lambda: left + right, "-": lambda: left - right,
                    "*": lambda: left * right, "/": lambda: left // right, "%": lambda: left % right}[what]()
        return left

    def unary(self):
        if self.peek() in "-~!" and self.peek():
            what = self.take()
            x = self.unary()
            return {"-": -x, "~": ~x, "!": int(not x)}[what]
        return self.postfix(self.primary())

    def postfix(self, x):
        while self.peek() in (".", "["):
            if self.take() == ".":
                x = typed(x, self.take())
            else:
                high = self.choice()
                if self.peek() == ":":
                    self.take()
                    low = self.choice()
                else:
                    low = high
                self.take("]")
                x = x >> low & ((1 << (high - low + 1)) - 1)
        return x

    def primary(self):
        token = self.take()
        if token == "(":
            x = self.choice()
            self.take(")")
            return x
        if token == "{":
            parts = [self.sized()]
            while self.peek() == ",":
                self.take()
                parts.append(self.sized())
            self.take("}")
            x = 0
            for value, bits in parts:
                x = x << bits | value & ((1 << bits) - 1)
            return x
        if "'" in token:
            bits, rest = token.split("'")
            digits = re.match(r"0x[0-9a-fA-F]+|\d+", rest)
            if digits:
                return int(digits.group(), 0)
            self.take("(")
            x = self.choice()
            self.take(")")
            return typed(x, {"U": "u", "I": "i", "B": "b"}.get(rest, "f") + bits)
        if token[:1].isdigit():
            return int(re.match(r"0x[0-9a-fA-F]+|\d+", token).group(), 0)
        if self.peek() == "(":
            self.take()
            arguments = []
            while self.peek() != ")":
                arguments.append(self.choice())
                if self.peek() == ",":
                    self.take()
            self.take(")")
            if token == "signext":
                return arguments[0]
            if token == "signext_from_bit":
                return signed(arguments[0], arguments[1]) if arguments[1] else 0
            if token == "abs":
                return abs(arguments[0])
            if token in ("countones", "bitCount"):
                return bin(arguments[0]).count("1")
            raise Unsupported(token)
        if token not in self.names:
            raise Unsupported(token)
        if token == "VCC" and self.tokens[self.at:self.at + 5] == [".", "u64", "[", "laneId", "]"]:
            self.at += 5
        return self.names[token]

    def sized(self):
        """A part of { a, b }: its value and its bits, which its last type or its digits say."""
        begin = self.at
        x = self.choice()
        words = self.tokens[begin:self.at]
        sizes = re.findall(r"\. [uib](\d+)$", " ".join(words)) or re.findall(r"^(\d+)'", words[0])
        if not sizes and words[-1] == "]":
            open_at = max(k for k, each in enumerate(words) if each == "[")
            inside = "".join(words[open_at + 1:-1]).split(":")
            sizes = [int(re.match(r"\d+", inside[0]).group()) - int(re.match(r"\d+", inside[-1]).group()) + 1]
        if not sizes:
            raise Unsupported("a part without a size")
        return x, int(sizes[0])


def run(code, names, strict):
    lines = [each.split("//")[0].strip().rstrip(";").strip() for each in code.split("\n")]
    value = lambda text: Expression(text, names, strict).choice()

    def block(at, active):
        """Executes lines from `at` on; returns where the block ends."""
        while at < len(lines):
            line = lines[at]
            if re.match(r"(endif|elsif|else|endfor)\b", line):
                return at
            if line.startswith("if "):
                done = False
                condition = active and bool(value(line[3:].removesuffix("then").strip()))
                at = block(at + 1, condition)
                done = done or condition
                while not lines[at].startswith("endif"):
                    if lines[at].startswith("elsif "):
                        condition = active and not done and bool(value(lines[at][6:].removesuffix("then").strip()))
                    else:
                        condition = active and not done
                    at = block(at + 1, condition)
                    done = done or condition
            elif line.startswith("for "):
                name, first, last = re.match(r"for (\w+) in (.+?) : (.+?) do", line).groups()
                for k in range(value(first), value(last) + 1):
                    names[name] = k
                    end = block(at + 1, active)
                at = end
            elif line and active and not line.startswith("declare "):
                assign(line)
            at += 1
        return at

    def assign(line):
        found = re.match(r"(\w+)((?:\[[^=]*?\])?)((?:\.\w+)?)((?:\[[^=]*?\])?)\s*([-+|&^]?)=(?!=)\s*(.*)$", line)
        if not found:
            raise Unsupported(line)
        name, part, kind, index, extra, right = found.groups()
        x = value(right)
        if extra:
            old = names[name]
            x = {"+": old + x, "-": old - x, "|": old | x, "&": old & x, "^": old ^ x}[extra]
        if kind and not kind[2:].isdigit():
            raise Unsupported(kind)
        span = part or index
        if name == "VCC" or (name == "D0" and index == "[laneId]"):
            names["D0" if name == "D0" else name] = x & 1
        elif span:
            ends = span[1:-1].split(":")
            high, low = value(ends[0]), value(ends[-1])
            mask = (1 << (high - low + 1)) - 1
            names[name] = names.get(name, 0) & ~(mask << low) | (x & mask) << low
        else:
            names[name] = typed(x, kind[1:]) if kind else x

    block(0, True)


def main():
    arguments = [each for each in sys.argv[1:] if each != "--break"]
    strict = "--break" not in sys.argv
    asked = subprocess.run([arguments[0], "--results"], check=True, capture_output=True, text=True).stdout.splitlines()
    here = re.sub(r"tests/host/binary/amd/[^/]*$", "", __file__) or "./"
    aliases = {}
    for header in ("scalar", "vector"):
        with open(f"{here}include/coalesce/host/binary/amd/{header}_opcodes.hpp") as file:
            text = file.read()
        for name, of in re.findall(r'\{"(\w+)", "(\w+)"\}', text):
            aliases.setdefault(of, []).append(name)
    wrong = 0
    for guide in arguments[1:]:
        with open(guide) as file:
            code = {name.lower(): eval(text) for name, text in re.findall(r"^  \w+Op\.(\w+?)(?:_E32|_E64)?: (.*),$", file.read(), re.M)}
        compared, opcodes, left, bad = 0, set(), {}, {}
        for line in asked:
            text, how, operands, result, scc = line.split("|")
            opcode = text.split()[0].removesuffix("_e32").removesuffix("_e64")
            if "saveexec" in opcode or opcode.startswith("v_cmpx"):
                names_of = [opcode] + [each + opcode[-4:] for each in aliases.get(opcode[:-4], [])]
            else:
                names_of = [opcode] + aliases.get(opcode, [])
            name = next((each for each in names_of if each in code), None)
            if name is None or opcode.startswith("v_pk_") or "v_cndmask_b32_e32" in text:
                left.setdefault(opcode, "the guide has none" if name is None else "not compared")
                continue
            given = [int(each, 16) for each in operands.split()]
            names = {"SCC": 0, "D0": 0, "VCC": 0, "laneId": 0, "tmp": 0, "OPSEL": 0, "S0": 0, "S1": 0, "S2": 0}
            if "c" in how or re.match(r"s_(addc|subb)_", opcode):
                names["SCC"] = given.pop()
            if "e" in how:
                names["EXEC"] = given.pop(0)
            if "t" in how:
                names["D0"] = given.pop(0)
            if re.search(r"^v_.*(addc|subb|subbrev|_ci_|cndmask)", opcode):
                names["VCC"] = given.pop()
            for k, each in enumerate(given):
                names[f"S{k}"] = each
            if opcode.startswith("s_") and "k_" in opcode and given:  # SOPK: the constant, and the register
                names["SIMM16"] = given[-1]
                if "t" not in how:
                    names["S0"] = given[0]
            try:
                run(code[name], names, strict)
            except (Unsupported, KeyError, AttributeError, ValueError, IndexError) as reason:
                left[opcode] = f"not read: {reason}"
                continue
            bits = 64 if re.match(r"\w+ [vs]\[", text) else 32
            if opcode.startswith("v_") and re.search(r"(16|_b16)$", opcode) and "cmp" not in opcode and "mad_" not in opcode:
                bits = 16
            expected, found = names["D0"] & ((1 << bits) - 1), int(result, 16)
            if "e" in how:
                expected = names["EXEC"] & ((1 << 64) - 1)
            elif "x" in how:
                expected = (names["SCC"] if opcode.startswith("s_") else names["D0"]) & 1
            elif "b" in how:
                expected |= ((names["SCC"] if opcode.startswith("s_") else names["VCC"]) & 1) << 32
            elif bits < 64:
                found &= (1 << bits) - 1
            compared += 1
            opcodes.add(opcode)
            if found != expected or ("z" in how and (names["SCC"] & 1) != int(scc)):
                bad.setdefault(opcode, f"{text} of {operands.strip()}: {found:#x}, SCC {scc}; the guide: {expected:#x}, SCC {names['SCC']}")
        label = guide.split("/")[-2] if "/" in guide else guide
        for opcode, why in sorted(bad.items()):
            print(f"{label}: {why}")
        reasons = {}
        for opcode, why in left.items():
            if opcode not in opcodes:
                reasons.setdefault(why, []).append(opcode)
        for why, which in sorted(reasons.items()):
            print(f"{label}: {why}: {' '.join(sorted(which))}")
        print(f"{label}: compared {compared} results of {len(opcodes)} opcodes; {len(bad)} opcodes differ")
        wrong += len(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

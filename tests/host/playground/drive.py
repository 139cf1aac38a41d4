# SPDX-License-Identifier: BSL-1.0
"""Drives the playground's page in Chromium, and compares what it shows with the library on this machine.

drive.py [OPTIONS] -- PAGE NATIVE COMPILER...: PAGE is the folder of the built page; NATIVE answers as native.cpp says; COMPILER with its
options checks the C++ that the page offers. --times N asks each instruction N times; --control asks NATIVE about other
addresses than the page, and must fail. It needs Selenium.
"""

import argparse
import functools
import http.server
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import urllib.parse

sys.dont_write_bytecode = True  # beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from chromium import browser, open_anew

ALL = 2**64 - 1
PUT = """
const $ = id => document.getElementById(id);
const put = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event("input", {bubbles: true})); };
const answered = async () => {
  $("question").requestSubmit();
  do await new Promise(done => setTimeout(done, 1)); while ($("result").getAttribute("aria-busy") !== "false");
};
const shown = () => ({
  headline: $("headline").textContent, refused: $("headline").className === "refused",
  numbers: [...$("numbers").rows].map(row => [...row.cells].map(cell => cell.textContent)),
  is_answered: $("answer").checkVisibility(), explanation: $("explanation").textContent + $("rules").textContent,
  cpp: $("cpp").textContent, no_picture: $("no_picture").textContent,
  picture: [...$("picture").shadowRoot.querySelectorAll("svg")].map(each => new XMLSerializer().serializeToString(each)).join(""),
  suggestion: $("suggestion").textContent, tile_cpp: $("tile_cpp").textContent, hash: location.hash,
});
const parsed = svg => {
  const into = document.createElement("div");
  into.innerHTML = svg;
  return new XMLSerializer().serializeToString(into.querySelector("svg"));
};
"""


class Native:
    def __init__(self, program, control):
        self.program, self.control = program, control
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def list(self):
        """{machine: [{name, lanes, bytes, alignment, is_shared, suggests}]}, and {another name: machine}"""
        machines, others = {}, {}
        for line in subprocess.run([self.program, "list"], capture_output=True, text=True, check=True).stdout.splitlines():
            words = line.split("\t")
            if words[0] == "machine":
                machines[words[1]] = of = []
                others.update((name, words[1]) for name in words[2:])
            else:
                keys = ("lanes", "bytes", "alignment", "is_shared", "suggests")
                of.append({"name": words[0], **{key: int(word) for key, word in zip(keys, words[1:])}})
        return machines, others

    def answer(self, *words):
        self.process.stdin.write("\t".join(str(word) for word in words).encode() + b"\n")
        self.process.stdin.flush()
        parts = []
        while True:
            word, size = self.process.stdout.readline().decode().split()
            text = self.process.stdout.read(int(size)).decode()
            self.process.stdout.read(1)
            if word == "end":
                return parts
            parts.append((word, text.removeprefix("coalesce: ") if word == "refused" else text))

    def ask(self, machine, instruction, addresses, active):
        if self.control:
            addresses = [address ^ 4096 * lane for lane, address in enumerate(addresses)]
        return self.answer("ask", machine, instruction, active, " ".join(map(str, addresses)))


def random_question(dice, instruction):
    """What the user writes, and what it means: text, mask, addresses, active."""
    lanes, bytes_, step = instruction["lanes"], instruction["bytes"], instruction["alignment"]
    space = 4096 if instruction["is_shared"] else dice.choice([4096, 1 << 20, 1 << 40])
    kind = dice.choice(["expression", "expression", "linear", "random", "random", "odd", "high", "short", "holes"])
    count, holes = lanes, set()
    if kind == "expression":
        a, b, c = dice.randrange(0, 40), dice.randrange(0, 40), dice.randrange(0, 64)
        form = dice.choice(["(lane ^ {b}) * {a} * {s} + {c} * {s}", "lane * {a} * {s}", "(lane % 8 * {a} + (lane >> 3)) * {s}",
                            "{s} * (lane & {b}) + ({c} << 2) * {s}", "({c} + lanes - lane) * {s}", "lane / 3 * {a} * {s}",
                            "lane / 8 * 4096 + lane % 8 * {s}", "lane * 0x{a:x}u * {s}", "lane < {b} ? lane * {s} : {c} * {s}",
                            "(lane > {b} && lane != {c} || !lane) * {s}", "-lane * -{s}", "~lane * -{s} - {s}", "({a} << 32) * {s} + lane * {s}"])
        text = form.format(a=a, b=b, c=c, s=step)
        meaning = {"lane / 3 * {a} * {s}": f"lane // 3 * {a} * {step}", "lane / 8 * 4096 + lane % 8 * {s}": f"lane // 8 * 4096 + lane % 8 * {step}",
                   "lane * 0x{a:x}u * {s}": f"lane * {a} * {step}", "lane < {b} ? lane * {s} : {c} * {s}": f"lane * {step} if lane < {b} else {c} * {step}",
                   "(lane > {b} && lane != {c} || !lane) * {s}": f"int(lane > {b} and lane != {c} or lane == 0) * {step}"}.get(form, text)
        addresses = [eval(meaning, {"lane": lane, "lanes": lanes}) for lane in range(lanes)]
    else:
        base = dice.randrange(0, space, step)
        if kind == "linear":
            stride = dice.choice([0, 1, 2, 3, 4, 8, 9, 32, 33]) * step
            addresses = [base + stride * lane for lane in range(lanes)]
        elif kind == "high":
            addresses = [2**64 - step * (1 + dice.randrange(0, 100)) for _ in range(lanes)]
        else:
            addresses = [dice.randrange(0, space, step) for _ in range(lanes)]
        if kind == "odd":
            addresses[dice.randrange(lanes)] += dice.randrange(1, 8)
        if kind == "short" and lanes > 2:
            addresses = addresses[:dice.randrange(2, lanes)]
        if kind == "holes" and lanes > 2:
            holes = set(dice.sample(range(lanes), dice.randrange(1, lanes - 1)))
        if lanes == 1:
            addresses = addresses[:1]
        text = dice.choice([" ", ", ", "\n"]).join("-" if lane in holes else dice.choice([str, hex])(address)
                                                   for lane, address in enumerate(addresses))
        addresses = [0 if lane in holes else address for lane, address in enumerate(addresses)]
    wave = ALL >> (64 - lanes)
    mask, active = dice.choice([("", ALL)] * 3 + [("number", dice.getrandbits(lanes)), ("half", wave & ((1 << max(1, lanes // 2)) - 1)),
                                                  ("beyond", dice.getrandbits(64))])
    if mask in ("number", "beyond"):
        mask = hex(active)
    elif mask == "half":
        mask = f"lane < {max(1, lanes // 2)}"
    if holes:
        active = (wave if active == ALL else active) & ~sum(1 << lane for lane in holes)
    return {"at": text, "active": mask}, addresses, active


class Differences:
    def __init__(self):
        self.count, self.questions, self.refused, self.cpp = 0, 0, 0, []

    def expect(self, what, page, native, question):
        if page != native:
            self.count += 1
            if self.count <= 10:
                print(f"differs in {what}: {json.dumps(question)}\n  page:   {str(page)[:600]}\n  native: {str(native)[:600]}")

    def compare(self, seen, parts, question):
        self.questions += 1
        if parts[0][0] == "refused":
            self.refused += 1
            self.expect("the refusal", (seen["is_answered"], seen["refused"], seen["headline"]), (False, True, parts[0][1]), question)
            return
        self.expect("what is shown", (seen["is_answered"], seen["refused"]), (True, False), question)
        self.expect("the numbers", [" ".join(row[:2]) for row in seen["numbers"]], parts[0][1].splitlines(), question)
        self.expect("the explanation", seen["explanation"], parts[1][1], question)
        if parts[2][0] == "refused":
            self.expect("why there is no picture", seen["no_picture"], parts[2][1], question)
        else:
            self.expect("the picture", seen["is_the_picture"], True, question)
        self.cpp.append(seen["cpp"])


def evaluate(page, script, *values):
    """What a script returns there, which may await; `values` are its arguments."""
    return page.execute_script(f"return (async (...values) => {{ {PUT} {script} }})(...arguments)", *values)


def ask_page(page, machine, instruction, question, picture):
    return evaluate(page, """
      const [question, native] = values;
      if ($("machine").value !== question.machine) { put("machine", question.machine); await answered(); }
      for (const id in question) put(id, question[id]);
      await answered();
      const seen = shown();
      seen.is_the_picture = native !== null && seen.picture === parsed(native);
      delete seen.picture;
      return seen;""", {"machine": machine, "instruction": instruction, **question}, picture)


def check_instructions(page, native, machines, times, dice, differ):
    for machine, instructions in machines.items():
        for instruction in instructions:
            for _ in range(times):
                question, addresses, active = random_question(dice, instruction)
                parts = native.ask(machine, instruction["name"], addresses, active)
                picture = next((text for word, text in parts if word == "picture"), None)
                seen = ask_page(page, machine, instruction["name"], question, picture)
                differ.compare(seen, parts, {"machine": machine, "instruction": instruction["name"], **question})


def check_second_machine(page, native, machines, dice, differ):
    names = [name for name in machines if machines[name]]
    for _ in range(40):
        first, second = dice.choice(names), dice.choice(names)
        one, other = dice.choice(machines[first]), dice.choice(machines[second])
        step = max(one["alignment"], other["alignment"])
        question = {"at": f"lane * {step}", "active": "", "other_machine": second}
        evaluate(page, "put('other_machine', values[0]); await answered();", second)
        seen = ask_page(page, first, one["name"], {**question, "other_instruction": other["name"]}, None)
        expected = [f"{first}::{one['name']}", f"{second}::{other['name']}"]
        differ.expect("the columns", seen["numbers"][0][1:], expected, question)
        for column, (machine, instruction) in enumerate([(first, one), (second, other)], 1):
            parts = native.ask(machine, instruction["name"], [lane * step for lane in range(instruction["lanes"])], ALL)
            numbers = [f"{row[0]} {row[column]}" for row in seen["numbers"][2:] if row[column] != ""]
            differ.expect("the numbers of two machines", sorted(numbers), sorted(parts[0][1].splitlines()), [question, expected])
        differ.questions += 1
    evaluate(page, "put('other_machine', ''); await answered();")


def check_suggestions(page, native, machines, dice, differ):
    tiles = [(32, 32, 4), (16, 64, 2), (64, 16, 4), (8, 32, 8), (3, 5, 4)]
    for machine, instructions in machines.items():
        usable = [each for each in instructions if each["suggests"]]
        for one in dice.sample(usable, min(2, len(usable))):
            other = dice.choice(usable)
            rows, columns, size = dice.choice(tiles)
            by_row = (f"lane % {rows}", "0"), (lambda lane: (lane % rows, 0))
            by_column = ("0", f"lane % {columns}"), (lambda lane: (0, lane % columns))
            (row, column), first = by_row
            (other_row, other_column), second = by_column
            question = {"at": f"lane * {one['alignment']}", "active": "", "rows": str(rows), "columns": str(columns),
                        "element_bytes": str(size), "row": row, "column": column, "other_use": other["name"],
                        "other_row": other_row, "other_column": other_column}
            ask_page(page, machine, one["name"], {}, None)  # the second instructions of the tile are listed
            seen = ask_page(page, machine, one["name"], question, None)
            cells = lambda of, lanes: " ".join(f"{a} {b}" for a, b in map(of, range(lanes)))
            ((word, text),) = native.answer("suggest", machine, rows, columns, size, one["name"], ALL, cells(first, one["lanes"]),
                                            other["name"], ALL, cells(second, other["lanes"]))
            if word != "refused":
                pitch, bits, base, shift, total, is_optimal, rounds0, conflicts0, rounds1, conflicts1 = text.split()
                swizzle = f", swizzled by co::swizzle{{.bits = {bits}, .base = {base}, .shift = {shift}}}" if bits != "0" else ""
                text = (f"Rows {pitch} bytes apart{swizzle}: {rounds1} rounds and {conflicts1} conflicts, instead of {rounds0} and "
                        f"{conflicts0}. The tile takes {total} bytes. " +
                        ("No layout has fewer rounds." if is_optimal == "1" else "Every layout of the space was tried, and has conflicts."))
                differ.cpp.append(seen["tile_cpp"])
            differ.expect("the suggestion", seen["suggestion"], text, {"machine": machine, "instruction": one["name"], **question})
            differ.questions += 1


def check_links(page, urls, machines, dice, differ):
    """The address that a question leaves opens that question again, from a server and from a file."""
    answered = "await answered(); return shown();"
    for url in urls:
        for machine in dice.choices([name for name in machines if machines[name]], k=3):
            instruction = dice.choice(machines[machine])
            question, _, _ = random_question(dice, instruction)
            open_anew(page, url)
            seen = ask_page(page, machine, instruction["name"], question, None)
            open_anew(page, url + seen["hash"])
            again = evaluate(page, answered)
            for key in ("headline", "numbers", "explanation", "cpp", "hash"):
                differ.expect(f"a link's {key}", again[key], seen[key], {"machine": machine, **question})
        open_anew(page, url + "#gpu=H100")
        differ.expect("a link by a product's name", evaluate(page, answered)["headline"].startswith("cuda::cc90::"), True, url)
        # A link runs nothing; what it names must be there; a + is a +, since links are also written by hand.
        open_anew(page, url + "#" + urllib.parse.urlencode({"at": "(window.ran = 4) * lane"}))
        ran = evaluate(page, "await answered(); return [window.ran ?? null, $('headline').className];")
        differ.expect("a link with a script", ran, [None, "refused"], url)
        open_anew(page, url + "#at=lane*4+4&op=load<32>")
        seen = evaluate(page, answered)
        differ.expect("a link by hand", (seen["headline"][:36], "at=lane*4%2B4" in seen["hash"] or "at=lane*4+4" in urllib.parse.unquote(seen["hash"])),
                      ("cuda::cc90::load<32> at lane * 4 + 4", True), url)
        for link, words in [("op=shared_lod<32>", 'instruction "shared_lod<32>", which this GPU does not have'), ("gpu=h10", 'no GPU "h10"'),
                            ("gpu=gfx942&op=shared_load<32>", 'instruction "shared_load<32>"'), ("vs=h10", 'no GPU "h10"'), ("vs=gcn&vs_op=lod", '"lod"'),
                            ("ta=lane", '"ta" is nothing'), ("at=lane&at=4", "at stands there twice"), ("at=%4", "not followed by two hexadecimal")]:
            open_anew(page, url + "#" + link)
            seen = evaluate(page, answered)
            differ.expect("a wrong link", (seen["refused"], seen["is_answered"], words in seen["headline"]), (True, False, True), [link, seen["headline"]])
        # Until the user chooses.
        open_anew(page, url + "#op=shared_lod<32>")
        chosen = evaluate(page, """
          await answered();
          put("at", "lane * 4");
          await answered();
          const before = shown().refused;
          put("instruction", "load<32>");
          await answered();
          return [before, shown().headline];""")
        differ.expect("a wrong link, then a choice", (chosen[0], chosen[1].startswith("cuda::cc90::load<32> at lane * 4:")), (True, True), chosen)


def check_comparisons(page, url, differ):
    """Two instructions are shown with what they count in. An example compares only what agrees there."""
    open_anew(page, url)
    seen = evaluate(page, """
      const all = [];
      for (const button of document.querySelectorAll("#examples button")) {
        button.click();
        await answered();
        all.push([button.textContent, $("other_machine").value, [...$("numbers").rows[1].cells].map(cell => cell.textContent), $("note").hidden]);
      }
      put("machine", "cuda::cc90"), put("instruction", "load<32>"), put("at", "lane * 8"), put("other_machine", "rdna::gfx1100");
      await answered();
      put("other_instruction", "global_load<32>");
      await answered();
      return [all, [...$("numbers").rows[1].cells].map(cell => cell.textContent), $("note").textContent];""")
    compared = [(words, cells) for words, other, cells, _ in seen[0] if other]
    differ.expect("an example that compares", len(compared) >= 1, True, seen[0])
    for words, cells in compared:
        differ.expect("what an example compares", (cells[0], cells[1] == cells[2]), ("level, unit, lanes", True), [words, cells])
    differ.expect("levels and units", seen[1], ["level, unit, lanes", "L1, 32 bytes, 32 lanes", "L0, 128 bytes, 32 lanes"], "H100, RX 7900 XTX")
    differ.expect("the note", "do not compare" in seen[2], True, seen[2])


def check_width(page, url, differ):
    """No column of the numbers is cut off at 1,280 pixels, with one machine and with two."""
    for link in ("op=store<32>&at=lane*4", "op=store<32>&at=lane*4&vs=h100&vs_op=load<128>"):
        seen = page.execute_script("""return (async src => {
          const frame = document.createElement("iframe");
          frame.style = "width: 1280px; height: 900px", frame.src = src;
          document.body.append(frame);
          const $ = id => frame.contentDocument?.getElementById(id);
          do await new Promise(done => setTimeout(done, 20)); while ($("result")?.getAttribute("aria-busy") !== "false");
          const around = $("numbers").parentElement, means = [...$("numbers").querySelectorAll("td.means")];
          const measured = () => [around.clientWidth > 600, around.scrollWidth - around.clientWidth, means.length > 5,
            means.filter(each => each.getBoundingClientRect().right > around.getBoundingClientRect().right + 1).length];
          const found = measured();
          $("numbers").style.width = "3000px";  // the control
          const wide = measured();
          frame.remove();
          return [found, wide[1] > 0, wide[3] > 0]; })(arguments[0])""", f"{url}#{link}")
        differ.expect("the width of the numbers", seen, [[True, 0, True, 0], True, True], link)


def check_chosen_number(page, url, differ):
    """Another number of the table is asserted; the keyboard stays there; an example is a click."""
    open_anew(page, url)  # Chromium stops a page that changes its address hundreds of times in a row
    evaluate(page, "document.querySelector('#examples button').click(); await answered();")
    seen = evaluate(page, """
      const ways = document.querySelector("#numbers input[value=ways]");
      ways.focus(), ways.click();
      await answered();
      return [document.activeElement.value, $("cpp").textContent.split("\\n").at(-2), location.hash];""")
    differ.expect("the chosen number", seen, ["ways", "    [](std::uint64_t lane) { return lane * 128; }).ways == 32);", "#assert=ways"], "")


def check_division(page, differ):
    """A row of 8 lanes, 4,096 bytes below the one before: four sectors, as C++ and the command count, and not one for each lane."""
    evaluate(page, "await answered();")
    seen = ask_page(page, "cuda::cc90", "load<32>", {"at": "lane / 8 * 4096 + lane % 8 * 4", "active": ""}, None)
    differ.expect("division as in C", ({row[0]: row[1] for row in seen["numbers"]}["transactions"], "return lane / 8 * 4096 + lane % 8 * 4;" in seen["cpp"]),
                  ("4", True), seen["cpp"])


def check_misread(page, machine, instruction, differ):
    """What is no question yet, in the page's own words."""
    deep = "(" * 4000 + "0"
    for at, active, words in [("lane *", "", "ends where an operand"), ("", "", "Write the byte"), ("lame * 4", "", "names lame"), ("'a'", "", "calls nothing"),
                              ("lane * 4", "half", "neither a number"), ("1 << 63 << 1", "", "more than 64 bits"), ("lane * 2 ** 3", "", "has * where an operand"),
                              ("Math.floor(lane / 8)", "", "calls nothing"), ("(() => { while (true); })()", "", "calls nothing"), ("lane / 0", "", "/ by 0"),
                              ("(lane - 8) / 2", "", "lane 0: / of -8, which C++"), ("lane - 1 < 4", "", "lane 0: < of -1"), ("lane << 64", "", "<< by 64"),
                              ("(lane + 1) * (1 << 63) * 4 >> 2", "", "lane 0: >> of 36893488147419103232"), ("lane 4", "", "has 4 where an operator"), ("(lane", "", "a )"),
                              ("lane * 089", "", "octal digits"), ("lane ? 4", "", "a :"), ("lane * 4", "window.x = lane", "calls nothing"), (deep, "", "parenthes"),
                              (deep + "0" * 200, "", "may have 4096")]:
        seen = ask_page(page, machine, instruction, {"at": at, "active": active}, None)
        differ.expect("what is misread", (seen["refused"], words in seen["headline"]), (True, True), [at, active, seen["headline"]])


def check_cpp(compiler, texts, dice, differ):
    """The C++ that the page offers compiles, and holds."""
    texts = dice.sample([each for each in texts if each], min(400, sum(map(bool, texts))))
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "offered.cpp")
        headers = sorted({line for text in texts for line in text.splitlines() if line.startswith("#include")})
        bodies = [text.split("namespace co = coalescing;\n", 1)[1] for text in texts]
        source.write_text("\n".join(headers) + "\nnamespace co = coalescing;\n" +
                          "".join(f"namespace q{k} {{\n{body}}}\n" for k, body in enumerate(bodies)))
        done = subprocess.run([*compiler, str(source)], capture_output=True, text=True)
        differ.expect("the C++", done.returncode, 0, [line for line in done.stderr.splitlines() if "error" in line][:5])
    return len(texts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page"), parser.add_argument("native"), parser.add_argument("compiler", nargs="*")
    parser.add_argument("--times", type=int, default=1), parser.add_argument("--control", action="store_true")
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--only", default="", help="machines whose names begin so")
    given = parser.parse_args()
    native = Native(given.native, given.control)
    machines, others = native.list()
    machines = {name: of for name, of in machines.items() if name.startswith(given.only)}
    if given.control:
        machines = {"gcn": machines["gcn"]}
    folder = pathlib.Path(given.page).resolve()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served = f"http://127.0.0.1:{server.server_port}/index.html"
    differ, dice, page, compiled = Differences(), random.Random(29), browser(given.chromium), 0
    try:
        open_anew(page, served)
        listed = evaluate(page, "return machines_of_modules.flatMap(each => each.machines.map(one => one.name));")
        differ.expect("numbers without a meaning", evaluate(page, """
          const cost = await (await library.machine("gcn")).cost("ds_read<32>", Array(64).fill(0n), all_lanes);
          return [meanings.size > 10, Object.keys(cost).filter(name => !meanings.has(name))];"""), [True, []], "")
        if not given.only and not given.control:
            differ.expect("the machines", sorted(listed), sorted(machines), "")
        called = lambda name: evaluate(page, "return machine_called(values[0]);", name)
        names = [name for name in others if called(name) != name]
        differ.expect("known names", len(names) > 60, True, names)
        for name in names:
            differ.expect("a known name", called(name), others[name], name)
        check_instructions(page, native, machines, given.times, dice, differ)
        if not given.control:
            check_second_machine(page, native, machines, dice, differ)
            check_suggestions(page, native, machines, dice, differ)
            machine = next(name for name in machines if machines[name])
            check_misread(page, machine, machines[machine][0]["name"], differ)
            if "cuda::cc90" in machines:
                check_chosen_number(page, served, differ)
                check_division(page, differ)
                check_comparisons(page, served, differ)
                check_width(page, served, differ)
            check_links(page, [served, folder.joinpath("index.html").as_uri()], machines, dice, differ)
            compiled = check_cpp(given.compiler, differ.cpp, dice, differ) if given.compiler else 0
    finally:
        page.quit(), server.shutdown(), native.process.kill()
    print(f"{differ.questions} questions, {differ.refused} of them refused by both; {compiled} assertions compiled; {differ.count} differ")
    return 1 if differ.count else 0


sys.exit(main())

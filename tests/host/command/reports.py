#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The reports of the command, --sarif and --html: findings by hand, their places, what other people's words do to them, sizes.

reports.py COALESCE [--cxx COMPILER] [--schema FILE] [--chromium PROGRAM]

--cxx: `coalesce run` is asked, too, with this compiler.

--schema: SARIF's own, with which Python's jsonschema validates each report. --chromium: the pages are opened, light and dark, sorted,
and clicked on; nothing may fail there or ask the network. It needs Selenium.
"""
import argparse
import copy
import json
import os
import pathlib
import re
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True  # beside the sources
from checks import Checks

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
parser = argparse.ArgumentParser()
parser.add_argument("coalesce"), parser.add_argument("--cxx"), parser.add_argument("--schema"), parser.add_argument("--chromium")
given = parser.parse_args()
checks = Checks(given.coalesce)
check = checks.check
schema = json.loads(pathlib.Path(given.schema).read_text()) if given.schema else None


def wrong_in(sarif):
    """What a code host would stumble over; nothing where there is nothing."""
    if schema:
        import jsonschema
        for error in jsonschema.Draft7Validator(schema).iter_errors(sarif):
            return error.message
    run = sarif["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if sarif["version"] != "2.1.0" or len(sarif["runs"]) != 1 or len(set(rules)) != len(rules):
        return "its head"
    for rule in run["tool"]["driver"]["rules"]:
        if not rule["help"]["text"] or rule["defaultConfiguration"]["level"] not in ("warning", "note"):
            return f"the rule {rule['id']}"
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"] or result["level"] not in ("warning", "note") or not result["message"]["text"]:
            return f"the result {result}"
        for place in result.get("locations", []):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            region = place["physicalLocation"].get("region", {"startLine": 1})
            if not re.fullmatch(r"(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) or min(region.values()) < 1:
                return f"the place {place}"
    return None


def report(folder, *words, status=0):
    """The SARIF, the page's data and the page's path."""
    sarif, page = pathlib.Path(folder, "report.sarif"), pathlib.Path(folder, "report.html")
    found, _, err = checks.run(*words, "--sarif", str(sarif), "--html", str(page), cwd=folder)
    check(found == status, f"{words}: status {found} {err[-300:]}")
    made = json.loads(sarif.read_text())
    check(wrong_in(made) is None, f"{words}: {wrong_in(made)}")
    text = page.read_text()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
    check(text.count("</script>") == 2 and "<!--" not in data, f"{words}: nothing ends the page's data but its end")
    check(not re.search(r"(src|href|url)\s*[=(]\s*[\"']?(https?:)?//", text.replace(data, "")), f"{words}: the page names no other file")
    return made, json.loads(data), page


def results(sarif):
    """(rule, level, file, line) of each finding, and the sentences"""
    rows, sentences = [], []
    for each in sarif["runs"][0]["results"]:
        place = each["locations"][0]["physicalLocation"] if "locations" in each else {"artifactLocation": {"uri": None}}
        rows.append((each["ruleId"], each["level"], place["artifactLocation"]["uri"], place.get("region", {}).get("startLine")))
        sentences.append(each["message"]["text"])
    return rows, sentences


# Lanes store a column of a tile, 128 bytes apart; load what data choose; load 64 bytes apart.
def kernel(name):
    return f"""\
.text.{name}:
  /*0000*/ S2R R0, SR_TID.X ;
  /*0010*/ LDC.64 R2, c[0x0][0x210] ;
  /*0020*/ IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
  /*0030*/ LDG.E R4, desc[UR4][R2.64] ;
  /*0040*/ SHF.L.U32 R5, R0, 0x7, RZ ;
  /*0050*/ STS [R5], R4 ;
  /*0060*/ LDC.64 R6, c[0x0][0x218] ;
  /*0070*/ IMAD.WIDE.U32 R8, R4, 0x4, R6 ;
  /*0080*/ LDG.E R10, desc[UR4][R8.64] ;
  /*0090*/ IMAD.WIDE.U32 R8, R0, 0x40, R6 ;
  /*00a0*/ LDG.E R10, desc[UR4][R8.64] ;
  /*00b0*/ EXIT ;
"""


LAUNCH = ["binary", "--machine", "sm_90", "--block", "32", "--arg", "buffer:128", "--arg", "buffer:4096"]
EVIL = '<script>window.ran=1</script><img src=x onerror="window.ran=2">'
with tempfile.TemporaryDirectory() as folder:
    at = pathlib.Path(folder)

    # ---- A disassembly: its own lines, exact and at most ----
    at.joinpath("a b#[1].sass").write_text(".target sm_90\n" + kernel("mixed"))
    sarif, data, mixed_page = report(folder, *LAUNCH, "a b#[1].sass")
    mixed_page = mixed_page.rename(at / "mixed.html")
    rows, sentences = results(sarif)
    name = urllib.parse.quote("a b#[1].sass")
    # 32 lanes in one bank; 32 sectors at most, of a table that data index; 32 sectors of 32 bytes where 4 would do.
    check(rows == [("bank-conflicts", "warning", name, 8), ("excess-transactions", "note", name, 11),
                   ("excess-transactions", "warning", name, 13)], f"findings at lines of the disassembly: {rows}")
    for sentence, words in zip(sentences, ["has 31 bank conflicts: it takes 32 rounds, ideally 1", "makes at most 32 transactions, ideally 4",
                                           "makes 32 transactions, ideally 4"]):
        check(words in sentence and "Kernel mixed, cuda::cc90" in sentence, f"{words}: {sentence}")
    check("Why: " in sentences[0] and "Why: " not in sentences[1], "the reason, where the addresses are known")
    (mixed,) = data["kernels"]
    suggested = mixed["suggestions"]["shared"]
    check((suggested["before"], suggested["after"], suggested["is_optimal"]) == (32, 1, True), f"a layout: {suggested}")
    # Rows of 32 words and one more: lane k's word is in bank k.
    check(suggested["padded"] == {"row": 128, "pitch": 132, "element": 4}, f"a padding: {suggested}")
    (file,) = data["files"]
    check(file["parts"] == [[3, *kernel("mixed").splitlines()[1:]]], "the lines of the kernel's instructions")
    broken = []
    for change in (lambda s: s["runs"][0]["results"][0].update(ruleIndex=1), lambda s: s["runs"][0]["results"][0].update(level="bad"),
                   lambda s: s["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"),
                   lambda s: s["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0)):
        broken.append(copy.deepcopy(sarif)), change(broken[-1])
    check(all(wrong_in(each) for each in broken), "controls: another rule, level, link or line is found")
    if schema:
        broken = copy.deepcopy(sarif)
        del broken["runs"][0]["results"][0]["message"]
        check("message" in wrong_in(broken), "the control: the schema finds a result without a message")

    # ---- No finding, no number, a refusal ----
    good = kernel("good").replace("R0, 0x7, RZ", "R0, 0x2, RZ").replace("R4, 0x4, R6", "R0, 0x4, R6").replace("R0, 0x40, R6", "R0, 0x4, R6")
    at.joinpath("good.sass").write_text(".target sm_90\n" + good)
    sarif, data, _ = report(folder, *LAUNCH, "good.sass")
    check(results(sarif)[0] == [], f"the control: neighbouring words are no finding: {results(sarif)}")
    check("suggestions" not in data["kernels"][0], "and have no suggestion")
    at.joinpath("unknown.sass").write_text(".target sm_90\n" + kernel("one").replace("STS [R5], R4", "UTMALDG.2D [UR8], [UR4]") +
                                           kernel("two").replace("S2R R0, SR_TID.X", "NOSUCH R0, SR_TID.X"))
    sarif, data, _ = report(folder, *LAUNCH, "unknown.sass", status=2)
    rows, sentences = results(sarif)
    check(("no-number", "warning", "unknown.sass", None) in rows and "two was refused: " in sentences[-1], f"a refusal is a finding: {rows}")
    check(data["kernels"][1]["name"] == "two" and "refused" in data["kernels"][1], "and is in the page")
    check(("no-number", "note", "unknown.sass", 8) in rows, f"an access without a number is a finding at its line: {rows}")

    # ---- Traces ----
    samples = ROOT / "tests/host/trace"
    sarif, data, _ = report(folder, "replay", "gfx942", str(samples / "copy.omniprobe.csv"), "--format", "omniprobe", "--bytes", "4",
                            "--shared", "0x1000000000000,0x100000000")
    rows, sentences = results(sarif)
    check([row[0] for row in rows] == ["excess-transactions", "no-number", "no-number"] and {row[3] for row in rows} == {None},
          f"a trace that names no file has no line of one: {rows}")
    check("at line 36" in sentences[0] and rows[0][2].startswith("file:///"), f"the sentence has it: {sentences[0]}")
    check(len(data["kernels"]) == 2, "all kernels of a trace")

    # ---- A program, as its page has it ----
    if given.cxx:
        source = (ROOT / "examples/run/transpose.cu").read_text()
        at.joinpath("transpose.cu").write_text(source)
        words = ["run", "--machine", "h100", "transpose.cu"]
        check(" ".join(["coalesce", *words, "--html transpose.html --sarif transpose.sarif"]) in
              (ROOT / "include/coalesce/manual/your_program.md").read_text(), "the page has these words")
        sarif, data, _ = report(folder, *words, "--cxx", given.cxx)
        rows, sentences = results(sarif)
        check(rows == [("bank-conflicts", "warning", "transpose.cu", 10)] and "3,968 bank conflicts" in sentences[0], f"one finding: {rows}")
        check(data["files"][0]["parts"] == [[1, *source.splitlines()]], "the whole source")
        # A row of 32 floats is stored, and a column loaded: 1 and 32 rounds, and 1 and 1 in another layout.
        suggested = data["kernels"][0]["suggestions"]["tile"]
        check((suggested["before"], suggested["after"], suggested["padded"]["pitch"]) == (33, 2, 132), f"tile[32][33]: {suggested}")

    # ---- Words of other people ----
    at.joinpath("evil.sass").write_text(".target sm_90\n" + kernel("evil").replace("evil", EVIL))
    sarif, data, evil_page = report(folder, *LAUNCH, "evil.sass")
    evil_page = evil_page.rename(at / "evil.html")
    check(data["kernels"][0]["name"] == EVIL and EVIL in results(sarif)[1][0], "a kernel's name, as it is")
    # A trace's bytes may be no UTF-8, and a name may end a script or begin a link.
    at.joinpath("bytes.trace").write_bytes(b"coalesce trace 1\nkernel \xff [x](http://a.b) {0}\nblock 0 0 0\nwarp 0\n"
                                           b"load global 4 <!--</script>@k.cu:3:7 0xffffffff 0+64\nend\n")
    at.joinpath("k.cu").write_bytes(b"// \xff\n__global__ void k() {\n  </script><!-- '\"&\n}\n")
    sarif, data, _ = report(folder, "replay", "cc90", "bytes.trace", "--format", "plain")
    rows, sentences = results(sarif)
    check(rows == [("excess-transactions", "warning", "k.cu", 3)] and "\ufffd \\[x\\](http://a.b) {{0}}" in sentences[0], f"other bytes, no link, no placeholder: {sarif}")
    check(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 7, "its column")
    check(data["kernels"][0]["sites"][0]["array"] == "<!--</script>" and data["files"][0]["parts"] ==
          [[1, "// \ufffd", "__global__ void k() {", "  </script><!-- '\"&", "}"]], f"other bytes in the page: {data['files']}")
    at.joinpath("k.cu").unlink()
    _, data, gone_page = report(folder, "replay", "cc90", "bytes.trace", "--format", "plain")
    gone_page = gone_page.rename(at / "gone.html")
    check(data["files"] == [{"name": "k.cu", "parts": []}], "a source that is not there")
    os.mkfifo(at / "k.cu")  # nobody writes to it
    check(report(folder, "replay", "cc90", "bytes.trace", "--format", "plain")[1]["files"] == data["files"], "a source that is a pipe")
    at.joinpath("k.cu").unlink()

    # ---- Sizes, and files that cannot be written ----
    lines, k = [".target sm_90", ".text.large:", "  /*0000*/ S2R R0, SR_TID.X ;"], 1
    while len(lines) < 2000:
        stride = len(lines) % 61 + 1
        lines += [f"  /*{16 * k:04x}*/ IMAD R1, R0, {4 * stride:#x}, RZ ;", f"  /*{16 * k + 16:04x}*/ STS [R1], R0 ;"]
        k += 2
    at.joinpath("large.sass").write_text("\n".join([*lines, f"  /*{16 * k:04x}*/ EXIT ;", ""]))
    _, data, page = report(folder, *LAUNCH[:5], "large.sass")
    check(page.stat().st_size <= 1_000_000, f"2,000 lines, 999 accesses: {page.stat().st_size} bytes")
    shown = [each is not None for each in data["pictures"]]
    check(any(shown) and not all(shown) and len(data["kernels"][0]["sites"]) == 999, "pictures while there is room, and all sites")
    for option, to in ("--sarif", "/dev/full"), ("--html", "/dev/full"), ("--html", folder):
        checks.refused(*LAUNCH, "good.sass", option, to, words=f"coalesce: {to} cannot be written\n", cwd=folder)

    for one, other in ("same", "same"), ("same", "./same"), ("same", str(at / "same")):
        checks.refused(*LAUNCH, "good.sass", "--html", one, "--sarif", other, words="--html and --sarif name one file: ", cwd=folder)
    check(not at.joinpath("same").exists(), "and nothing is written")
    # No output overwrites an input, by whatever path.
    kept = at.joinpath("good.sass").read_text()
    at.joinpath("link.sass").symlink_to("good.sass")
    for option, to in ("--html", "good.sass"), ("--sarif", "./good.sass"), ("--html", str(at / "good.sass")), ("--sarif", "link.sass"):
        checks.refused(*LAUNCH, "good.sass", option, to, words=f"coalesce: {option} names the input good.sass\n", cwd=folder)
    at.joinpath("in.trace").write_text("coalesce trace 1\nkernel k\nload shared 4 0x10 1 0\nend\n")
    checks.refused("replay", "cc90", "in.trace", "--format", "plain", "--html", "in.trace", words="--html names the input in.trace", cwd=folder)
    at.joinpath("words").write_bytes(bytes(128))
    checks.refused(*LAUNCH, "--arg", "buffer:128=words", "good.sass", "--html", "words", words="--html names the input words", cwd=folder)
    at.joinpath("app.cu").write_text("int main() {}\n")
    for option in "--html", "--sarif", "--report":
        checks.refused("run", "--machine", "h100", "app.cu", option, "app.cu", words=f"{option} names the input app.cu", cwd=folder)
    check(at.joinpath("good.sass").read_text() == kept and at.joinpath("app.cu").read_text() == "int main() {}\n", "and the inputs stay")

    # ---- The pages in Chromium ----

    if given.chromium:
        sys.path.insert(0, str(HERE.parent))
        from chromium import browser
        from selenium.webdriver.common.by import By

        def row_of(page):
            return {each.find_element(By.CSS_SELECTOR, "th, td").text: each for each in page.find_elements(By.CSS_SELECTOR, "#lines tbody tr")}

        def press(page, under, words):
            """The first button there whose words begin so."""
            next(each for each in page.find_elements(By.CSS_SELECTOR, f"{under} button") if each.text.startswith(words)).click()

        def site(page):
            return page.find_element(By.ID, "site").text

        def picture(page):
            (drawn,) = page.find_elements(By.CSS_SELECTOR, "#site figure div")
            return drawn.shadow_root.find_element(By.CSS_SELECTOR, "svg title").get_attribute("textContent")

        def wrong(page):
            """Errors, what the page's own policy forbade, and requests."""
            return [each["message"] for each in page.get_log("browser")] + page.execute_script(
                "return performance.getEntriesByType('resource').map(each => each.name)")

        with browser(given.chromium) as page:
            grounds = set()
            for scheme in "light", "dark":
                page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                page.get(mixed_page.as_uri())
                grounds.add(page.find_element(By.TAG_NAME, "body").value_of_css_property("background-color"))
                check(list(row_of(page)) == [str(line) for line in range(3, 15)], f"{scheme}: all lines of the kernel, in place: {list(row_of(page))}")
                chosen = [line for line, row in row_of(page).items() if row.get_attribute("aria-selected")]
                check(chosen == ["8"], f"{scheme}: the costliest finding is chosen: {chosen}")
                bars = [[each.text, *(part.get_attribute("class") for part in each.find_elements(By.TAG_NAME, "i"))]
                        for each in page.find_elements(By.CSS_SELECTOR, "#lines tbody .cost")]
                check(bars == [["4", "ideal"], ["32", "ideal", "excess"], ["≤ 32", "ideal", "bound"], ["32", "ideal", "excess"]], f"{scheme}: bars: {bars}")
                press(page, "#lines th", "Global")
                check(list(row_of(page)) == ["11", "13", "6", "8"], f"{scheme}: the costliest first: {list(row_of(page))}")
                row_of(page)["11"].click()
                check("at most 32 transactions, ideally 4" in site(page) and "with the largest bound" in site(page), f"{scheme}: a bound: {site(page)}")
                check("load<32> at lane * 128: 32 transactions" in picture(page), f"{scheme}: a click shows the picture: {picture(page)}")
                press(page, "#lines th", "")
                row_of(page)["8"].click()
                check("shared_store<32> at lane * 128: 32 rounds" in picture(page), f"{scheme}: another one: {picture(page)}")
                check("want different words of bank 0" in site(page) and "1 round instead of 32" in site(page), f"{scheme}: the reason and the layout: {site(page)}")
                press(page, "#site .chips", "In this")
                check("shared_store<32> at lane * 132: 1 round" in picture(page), f"{scheme}: the picture in that layout: {picture(page)}")
                seen = wrong(page)
                check(seen == [], f"{scheme}: errors and requests: {seen}")
            check(len(grounds) == 2, f"light and dark differ: {grounds}")
            page.get(evil_page.as_uri())
            check(page.find_element(By.ID, "kernel").text == EVIL, "a kernel's name is text")
            seen = page.execute_script("return [window.ran ?? null, document.images.length]"), wrong(page)
            check(seen == ([None, 0], []), f"and runs nothing: {seen}")
            page.get(gone_page.as_uri())
            seen = page.find_element(By.ID, "listing").text
            check("k.cu was not found" in seen and "<!--</script>" in seen, f"a page without its source says so, and lists sites: {seen}")
            page.execute_script("""
              const image = new Image();
              image.src = "http://127.0.0.1:9/x.png";
              document.body.append(image);
              setTimeout(() => nothing.at.all);
              return new Promise(done => setTimeout(done, 200));""")
            seen = " ".join(wrong(page))
            check("127.0.0.1" in seen and "nothing is not defined" in seen, f"controls: a request and an error are seen: {seen}")

checks.end("the reports are as they should be" + (", valid by the schema" if schema else "") +
           (", and their pages work in Chromium" if given.chromium else ""))

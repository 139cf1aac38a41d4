# SPDX-License-Identifier: BSL-1.0
"""Chromium without a window, told what to do by its DevTools protocol over a pipe."""

import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, chromium):
        self.profile = tempfile.mkdtemp()
        its_input, self.to = os.pipe()
        self.of, its_output = os.pipe()

        def give_pipes():  # Chromium reads descriptor 3, and writes 4
            a, b = os.dup(its_input), os.dup(its_output)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--no-first-run", f"--user-data-dir={self.profile}", "about:blank"],
            close_fds=False, preexec_fn=give_pipes, stderr=subprocess.DEVNULL)
        os.close(its_input), os.close(its_output)
        self.buffer, self.number, self.session = b"", 0, None
        page = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def next_message(self):
        while b"\0" not in self.buffer:
            read = os.read(self.of, 1 << 20)
            if not read:
                raise RuntimeError("Chromium ended")
            self.buffer += read
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:1000])
        return result["result"].get("value")

    def go(self, url):
        """Opens a page anew, also where only what follows # differs."""
        for to in ("about:blank", url):
            self.call("Page.navigate", url=to)
            while not self.evaluate(f"location.href.startsWith({json.dumps(to.split('#')[0])}) && document.readyState === 'complete'"):
                time.sleep(0.005)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to), os.close(self.of)
        shutil.rmtree(self.profile, ignore_errors=True)

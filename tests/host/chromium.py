# SPDX-License-Identifier: BSL-1.0
"""Chromium without a window. Selenium drives it, with Debian's chromium-driver."""
import shutil
import sys

from selenium import webdriver


def browser(chromium="chromium"):
    """A Chromium for a `with`, which ends it."""
    program, driver = shutil.which(chromium), shutil.which("chromedriver")
    if not program or not driver:  # Selenium would download another one
        sys.exit(f"there is no {'chromedriver' if program else chromium} on PATH: Debian's package chromium-driver has both")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    options.add_argument("--headless=new")
    options.add_argument("--no-sandbox")  # root has none
    options.add_argument("--disable-dev-shm-usage")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    page = webdriver.Chrome(options, webdriver.ChromeService(driver))
    page.set_script_timeout(300)
    return page


def open_anew(page, url):
    """Loads a page also where only what follows # is another."""
    page.get("about:blank")
    page.get(url)

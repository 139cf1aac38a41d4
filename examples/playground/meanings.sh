#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# NUMBERS.md MEANINGS.js: the manual's table of numbers, as a script. A row names one number, or several and their meanings.
set -eu
{
  echo 'const meanings_of_numbers = [];'
  sed -n '/^| `/{s/"/\\"/g; s/^| \([^|]*\) | [^|]* | \(.*\) |$/meanings_of_numbers.push(["\1", "\2"]);/p}' "$1"
} >"$2"

#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# MODULE.wasm MODULE.js: packs a module into a script, and says so if it is too large for a page.
set -eu
name=$(basename "$1" .wasm)
size=$(gzip -9nc "$1" | wc -c)
if [ "$size" -gt 300000 ]; then
  echo "$name has $size bytes, and a module has 300000 at most: give some of its machines another module" >&2
  exit 1
fi
printf 'packed_modules.%s = "%s";\n' "$name" "$(gzip -9nc "$1" | base64 -w0)" >"$2"

# SPDX-License-Identifier: BSL-1.0
"""nvrtc.py FOLDER FILE OPTION...: compiles FILE with the NVRTC that pip unpacked to FOLDER, for device code alone. Prints
what it says, and fails if it says anything."""
import ctypes
import glob
import sys

folder, name, *options = sys.argv[1:]
library = ctypes.CDLL(glob.glob(folder + "/nvidia/cuda_nvrtc/lib/libnvrtc.so.*")[0])
program = ctypes.c_void_p()
with open(name, "rb") as file:
    text = file.read()
if library.nvrtcCreateProgram(ctypes.byref(program), text, name.encode(), 0, None, None) != 0:
    sys.exit("NVRTC makes no program")
arguments = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
status = library.nvrtcCompileProgram(program, len(options), arguments)
size = ctypes.c_size_t()
library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
log = ctypes.create_string_buffer(size.value)
library.nvrtcGetProgramLog(program, log)
said = log.value.decode().strip()
print(said)
sys.exit(status != 0 or said != "")

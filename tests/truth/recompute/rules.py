#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Recomputes every number of the corpus that PROGRAM (coalesce.recompute) prints, from the words of the rules.

    rules.py PROGRAM [--doctor]

This is written from notes on the documents that the library cites, and not from the library's headers. It uses sets of
bytes and words, and shares no engine and no table. Where the documents are silent, it follows the manual's pages.
--doctor changes one number of one line of the input, as a control: the script must notice.
"""
import collections
import functools
import itertools
import re
import subprocess
import sys

TOP = 2**64
Lane = collections.namedtuple("Lane", "number address")


def pieces(lanes, width, size):
    """The aligned pieces of `size` bytes that hold a byte of the lanes."""
    return {
        piece for lane in lanes for piece in range(lane.address // size, (lane.address + width - 1) // size + 1)
    }


def bytes_of(lanes, width):
    """How many different bytes the lanes name."""
    count, end = 0, -1
    for start in sorted({lane.address for lane in lanes}):
        count += start + width - max(start, end) if start + width > end else 0
        end = max(end, start + width)
    return count


def different(lanes):
    return len({lane.address for lane in lanes})


def crowd(lanes):
    """The most lanes on one address."""
    return max(collections.Counter(lane.address for lane in lanes).values(), default=0)


def groups(lanes, size, wave):
    return [[lane for lane in lanes if first <= lane.number < first + size] for first in range(0, wave, size)]


def most_per_bank(lanes, width, banks, bank_bytes=4):
    """The most different words that one bank must serve."""
    words = collections.defaultdict(set)
    for word in pieces(lanes, width, bank_bytes):
        words[word % banks].add(word)
    return max(map(len, words.values()), default=0)


def summed(degrees):
    """A banked access, from the rounds of its phases."""
    return {
        "rounds": sum(degrees),
        "conflicts": sum(degrees) - len(degrees),
        "phases": len(degrees),
        "ways": max(degrees, default=0),
    }


# ---- NVIDIA ----


def tesla_in_order(lanes, width):
    """CC 1.0 and 1.1 (PG3.2 G.3.2.1): a half-warp is coalesced if its lane k is on word k of one aligned segment."""
    sizes = []
    for half in groups(lanes, 16, 32):
        if not half:
            continue
        bases = {lane.address - lane.number % 16 * width for lane in half}
        coalesced = width in (4, 8, 16) and len(bases) == 1 and min(bases) % (64 if width == 4 else 128) == 0
        if coalesced:
            sizes += {4: [64], 8: [128], 16: [128, 128]}[width]
        else:
            sizes += [32] * len(half)  # one for each thread
    return sizes


def tesla_shrinking(lanes, width):
    """CC 1.2 and 1.3 (PG3.2 G.3.2.2): the segment of the lowest lane, made smaller while half of it is idle."""
    sizes = []
    for half in groups(lanes, 16, 32):
        pending = list(half)
        while pending:
            size = {1: 32, 2: 64}.get(width, 128)
            start = pending[0].address // size * size
            served = [lane for lane in pending if start <= lane.address < start + size]
            pending = [lane for lane in pending if lane not in served]
            used = {lane.address + byte - start for lane in served for byte in range(width)}
            while size > 32:
                lower, upper = {byte for byte in used if byte < size // 2}, {byte for byte in used if byte >= size // 2}
                if lower and upper:
                    break
                used = lower or {byte - size // 2 for byte in upper}
                size //= 2
            sizes.append(size)
    return sizes


def parts_of(width, capability):
    """Lanes of one part of a global access: `lanes/req` of the table by capability."""
    if capability < 20:
        return 16
    if capability < 40:
        return {8: 16, 16: 8}.get(width, 32)
    if capability < 70:
        return {8: 4, 16: 2}.get(width, 8)
    return 32


def partial_sectors(lanes, width):
    written = collections.defaultdict(set)
    for lane in lanes:
        for byte in range(lane.address, lane.address + width):
            written[byte // 32].add(byte)
    return sum(len(held) != 32 for held in written.values())


def banked_passes(lanes, width):
    """The passes of a shared access since CC 5.0, and of the L1 data stage since 7.0: the warp, halves for 8 bytes,
    quarters for 16, eighths for 32."""
    lanes_at_once = 32 if width <= 4 else 128 // width
    return [part for part in groups(lanes, lanes_at_once, 32) if part]


def nvidia_global(capability, kind, lanes, width, caching):
    parts = [part for part in groups(lanes, parts_of(width, capability), 32) if part]
    answer = {"requests": len(parts), "bytes_used": bytes_of(lanes, width)}
    if capability < 20:
        sizes = tesla_in_order(lanes, width) if capability < 12 else tesla_shrinking(lanes, width)
        answer.update(transactions=len(sizes), bytes_moved=sum(sizes))
        return answer
    if capability < 40:
        # Fermi caches loads in lines of 128 bytes by default, Kepler if asked; stores and the rest go in 32 bytes.
        cached = kind == "load" and (caching == "l1" or (caching == "" and capability < 30))
        unit = 128 if cached else 32
        answer["transactions"] = sum(len(pieces(part, width, unit)) for part in parts)
    else:
        unit = 32
        answer["transactions"] = len(pieces(lanes, width, unit))
    answer["bytes_moved"] = unit * answer["transactions"]
    if capability >= 70:
        answer["lines"] = len(pieces(lanes, width, 128))
        answer["data_wavefronts"] = sum(most_per_bank(part, width, 32) for part in banked_passes(lanes, width))
        answer["tag_wavefronts_at_least"] = -(-answer["lines"] // 4)  # four tags a cycle
    if kind == "store":
        answer.update(partial_sectors=partial_sectors(lanes, width), operations=different(lanes))
    return answer


@functools.lru_cache(maxsize=None)
def broadcasts(banks, choose):
    """CC 1.x: the steps of a request for words, where each step serves all lanes of one word, and a lane of each other
    bank; with the best (min) or the worst (max) choices. `banks`: how many lanes pend on each word of each bank."""
    if not banks:
        return 0
    results = set()
    for at, bank in enumerate(banks):
        others = banks[:at] + banks[at + 1 :]
        for word in set(bank):
            kept = list(bank)
            kept.remove(word)
            states = {(tuple(kept),)}
            for other in others:
                following = set()
                for count in set(other):
                    rest = list(other)
                    rest.remove(count)
                    rest += [count - 1] if count > 1 else []
                    following.update(state + (tuple(sorted(rest)),) for state in states)
                states = following
            for state in {tuple(sorted(bank for bank in state if bank)) for state in states}:
                results.add(1 + broadcasts(state, choose))
    return choose(results)


def tesla_shared(kind, lanes, width):
    """16 banks, half-warps; wider words are several requests of 32 bits."""
    best, worst = [], []
    for half in groups(lanes, 16, 32):
        if not half:
            continue
        for part in range(max(1, width // 4)):
            moved = [Lane(lane.number, lane.address + 4 * part) for lane in half]
            if kind == "shared_store":  # nothing is broadcast; of the writers of one location one is left
                places = collections.Counter(address // 4 % 16 for address in {lane.address for lane in moved})
                best.append(max(places.values()))
                worst.append(best[-1])
                continue
            pending = collections.defaultdict(collections.Counter)
            for lane in moved:
                pending[lane.address // 4 % 16][lane.address // 4] += 1
            banks = tuple(sorted(tuple(sorted(words.values())) for words in pending.values()))
            best.append(broadcasts(banks, min))
            worst.append(broadcasts(banks, max))
    return {**summed(worst), "rounds_at_least": sum(best)}


# Loads whose passes merge though no mode is named: CC 7.0 to 7.5 by NVIDIA's words (F-77228), 8.0 by times of A100
# (gpu_shm_microbench), of 16 bytes 8.6 and 9.0 by counters of A10 and H100 (F-373160), of 8 bytes 9.0 by those of H100
# (tests/truth/measured/gpu).
MERGING = {8: (70, 72, 75, 80, 90), 16: (70, 72, 75, 80, 86, 90)}


def merged_passes(lanes, width):
    """F-77228: if every pair of lanes k and k ^ 1, or every one of k and k ^ 2, is on one address, the
    half-warps of 8 bytes go together, and of 16 bytes the quarters of each half-warp."""
    at = {lane.number: lane.address for lane in lanes}
    merges = any(
        all(at.get(number ^ bit, address) == address for number, address in at.items()) for bit in (1, 2)
    )
    if width <= 4 or not merges:
        return banked_passes(lanes, width)
    return [part for part in groups(lanes, 2 * 128 // width, 32) if part]


def nvidia_shared(capability, kind, lanes, width, mode):
    if capability < 20:
        return tesla_shared(kind, lanes, width)
    if capability < 30:
        if width < 16:
            return summed([most_per_bank(part, width, 32) for part in banked_passes(lanes, width)])
        # The worst quarter-warp, and one more: one phase.
        quarters = [most_per_bank(part, width, 32) for part in groups(lanes, 8, 32) if part]
        return summed([max(quarters) + 1] if quarters else [])
    if capability < 40:
        parts = [part for part in groups(lanes, 16 if width == 16 else 32, 32) if part]
        if mode == "eight_byte_banks":
            return summed([most_per_bank(part, width, 32, 8) for part in parts])
        degrees = []
        for part in parts:  # a bank serves words i and i + 32 of an aligned row of 64 at once
            rows = collections.defaultdict(set)
            for word in pieces(part, width, 4):
                rows[word % 32].add(word // 64)
            degrees.append(max(map(len, rows.values())))
        return summed(degrees)
    by_default = kind == "shared_load" and capability in MERGING.get(width, ())
    merges = mode == "pair_merge" or (by_default and mode == "")
    passes = merged_passes(lanes, width) if merges else banked_passes(lanes, width)
    return summed([most_per_bank(part, width, 32) for part in passes])


# "Shared memory per multiprocessor" of the guides' tables of compute capabilities, in KiB: the end of what an address
# of shared memory can mean, were a block alone. (A block has less from 3.7 on; that is not refused.)
SHARED_OF = {
    16: (10, 11, 12, 13),
    48: (20, 21, 30, 32, 35),
    64: (50, 53, 60, 62, 75),
    96: (52, 61, 70, 72),
    100: (86, 88, 89, 120, 121),
    112: (37,),
    164: (80, 87),
    228: (90, 100, 103, 110),
    328: (107,),
}
NVIDIA_SHARED = {capability: 1024 * size for size, those in SHARED_OF.items() for capability in those}


def line_of(table, name, key, machine):
    """A machine's line in a table that is written by hand."""
    if key not in table:
        sys.exit(f"{machine} has no line in tests/truth/recompute/rules.py, table {name}")
    return table[key]


def nvidia(machine, name, arguments, side, wave, lanes):
    capability = int(machine[2:])
    shared = line_of(NVIDIA_SHARED, "SHARED_OF", capability, machine)
    if name in ("ldmatrix", "stmatrix"):
        width = 16
        return Question(
            width, width, shared, all_lanes=True,
            answer=lambda: summed([most_per_bank(rows, 16, 32) for rows in groups(lanes, 8, wave) if rows]),
        )
    if name == "cp_async":
        width, read = int(arguments[0]), int(arguments[1])
        if side == "shared":
            return Question(width, width, shared, lambda: nvidia_shared(capability, "shared_store", lanes, width, ""))

        def copied():
            reading = lanes if read != 0 else []
            sectors = len(pieces(reading, read, 32))
            return {
                "requests": 1 if reading else 0,
                "transactions": sectors,
                "bytes_moved": 32 * sectors,
                "bytes_used": bytes_of(reading, read),
                "lines": len(pieces(reading, read, 128)),
            }

        return Question(width, width, 0, copied)
    width, option = int(arguments[0]) // 8, arguments[1] if len(arguments) > 1 else ""
    if name in ("load", "store"):
        return Question(width, width, 0, lambda: nvidia_global(capability, name, lanes, width, option))
    if name in ("atomic", "red"):

        def atomic():
            sectors = len(pieces(lanes, width, 32))
            return {
                "transactions": sectors,
                "bytes_moved": 32 * sectors,
                "bytes_used": bytes_of(lanes, width),
                "operations": len(lanes),
                "lanes_on_one_address": crowd(lanes),
            }

        return Question(width, width, 0, atomic)
    if name == "constant_load":  # half-warp by half-warp on CC 1.x
        parts = groups(lanes, 16, 32) if capability < 20 else [lanes]
        return Question(
            width, width, 0,
            lambda: {"requests": sum(map(different, parts)), "bytes_used": bytes_of(lanes, width)},
        )
    if name in ("shared_load", "shared_store"):
        return Question(width, width, shared, lambda: nvidia_shared(capability, name, lanes, width, option))
    if name == "shared_atomic":

        def shared_atomic():
            words = nvidia_shared(capability, "shared_store" if capability >= 50 else "shared_load", lanes, width, "")
            return {**words, "operations": len(lanes), "lanes_on_one_address": crowd(lanes)}

        return Question(width, width, shared, shared_atomic)
    raise KeyError(name)


# ---- AMD ----

CONSECUTIVE = {size: [list(range(first, first + size)) for first in range(0, 64, size)] for size in (8, 16, 32, 64)}


def and_plus_32(half):
    return half + [[lane + 32 for lane in phase] for phase in half]


# CK's page on LDS bank conflicts, and its phases by measurement (HipKittens) on gfx950.
EIGHTS = and_plus_32([[0, 1, 2, 3, 20, 21, 22, 23], [4, 5, 6, 7, 16, 17, 18, 19],
                      [8, 9, 10, 11, 28, 29, 30, 31], [12, 13, 14, 15, 24, 25, 26, 27]])
SIXTEENS = and_plus_32([[0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27],
                        [4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31]])


def lds_phases(machine, write, bits):
    """The lanes that are served together, and the number of banks."""
    if write:
        return CONSECUTIVE[{64: 16, 128: 8}.get(bits, 32)], 32
    if machine == "gfx950" and bits != 96:
        return {64: CONSECUTIVE[32], 128: SIXTEENS}.get(bits, CONSECUTIVE[64]), 64
    return {64: CONSECUTIVE[16], 96: EIGHTS, 128: EIGHTS}.get(bits, CONSECUTIVE[32]), 32


def lds_degrees(lanes, width, phases, banks):
    """An empty phase takes its round too, but none does where all are empty: the instruction is not issued."""
    if not lanes:
        return []
    return [
        max(1, most_per_bank([lane for lane in lanes if lane.number in phase], width, banks)) for phase in phases
    ]


def quads(lanes):
    return len({lane.number // 4 for lane in lanes})


def gcn_clocks(lanes, size):
    """POST: groups of 16 lanes take a clock if each quad of theirs lies in four consecutive elements; else a clock for
    each quad."""
    clocks = 0
    for group in groups(lanes, 16, 64):
        runs = True
        for quad in range(16):
            at = [lane.address for lane in group if lane.number // 4 == quad]
            if at:
                low = min(at)
                runs = runs and all(a - low in (0, size, 2 * size, 3 * size) for a in at)
        clocks += (1 if runs else quads(group)) if group else 0
    return clocks


def gcn(machine, name, arguments, side, wave, lanes):
    bits, channels = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1
    width = bits * channels // 8
    if name == "s_load":
        width = 4 * bits
        lines = len(pieces(lanes, width, 64))
        return Question(
            width, 4, 0,
            lambda: {"transactions": lines, "bytes_moved": 64 * lines, "bytes_used": bytes_of(lanes, width)},
        )
    if name in ("ds_read", "ds_write"):
        phases, banks = lds_phases(machine, name == "ds_write", bits)
        return Question(
            width, 16 if bits == 96 else width, 65536, lambda: summed(lds_degrees(lanes, width, phases, banks))
        )

    def vector():
        lines = len(pieces(lanes, width, 64))
        answer = {"transactions": lines, "bytes_moved": 64 * lines, "bytes_used": bytes_of(lanes, width)}
        answer["clocks"] = quads(lanes)
        if name == "buffer_load" and channels == 1 and bits <= 32:
            answer["clocks"] = gcn_clocks(lanes, width)
        if name == "image_sample":
            answer["clocks"] *= max(1, bits // 32)
        if name.endswith("store"):
            answer["operations"] = different(lanes)
        if name.endswith("atomic"):
            answer["operations"] = len(lanes)
        return answer

    # GCN3 ISA 8.1.6: of dwords and more the two lowest bits of the address are ignored.
    return Question(width, 4 if width >= 4 else 1, 0, vector, unsaid="image" in name)


def cdna(machine, name, arguments, side, wave, lanes):
    bits = int(arguments[0])
    width = bits // 8
    capacity = line_of(CDNA_LDS, "CDNA_LDS", machine, machine)[0]
    if name == "s_load":  # lines of the scalar cache, 64 bytes
        width = 4 * bits
        lines = len(pieces(lanes, width, 64))
        return Question(
            width, 4, 0,
            lambda: {"transactions": lines, "bytes_moved": 64 * lines, "bytes_used": bytes_of(lanes, width)},
        )
    if name.startswith("global_") or name.startswith("buffer_"):
        load = "load" in name
        unit = 128 if load and machine != "gfx90a" else 64  # L1 reads whole lines; writes are requests of 64 bytes

        def memory():
            count = len(pieces(lanes, width, unit))
            answer = {"transactions": count, "bytes_moved": unit * count, "bytes_used": bytes_of(lanes, width)}
            answer["quads"] = quads(lanes)
            if not load:
                answer["operations"] = len(lanes) if "atomic" in name else different(lanes)
            return answer

        # LLVM takes loads and stores of more than a dword at any dword; atomics at their own size.
        return Question(width, width if "atomic" in name else min(width & -width, 4), 0, memory)
    if name == "ds_atomic":
        return Question(
            width, width, capacity,
            lambda: {"operations": len(lanes), "lanes_on_one_address": crowd(lanes)},
        )
    if name == "ds_read_tr":
        return Question(
            width, width, capacity, lambda: summed(lds_degrees(lanes, width, CONSECUTIVE[32], 64)), all_lanes=True
        )
    phases, banks = lds_phases(machine, "write" in name, bits)
    if "2" in name and machine == "gfx950":  # of 32 banks, as all but its reads of 64 and 128 bits
        phases, banks = lds_phases("gfx942", "write" in name, bits)
    if name in ("ds_read", "ds_write"):
        return Question(
            width, 16 if bits == 96 else width, capacity, lambda: summed(lds_degrees(lanes, width, phases, banks))
        )
    if name.startswith(("ds_read2", "ds_write2")):
        return two_addresses(name.endswith("st64"), arguments, lanes, width, capacity, phases, banks)
    raise KeyError(name)


def two_addresses(in_64, arguments, lanes, width, capacity, phases, banks):
    """All phases of the first address, then all of the second; equal offsets are one access."""
    step = 64 * width if in_64 else width
    offsets = sorted({int(argument) for argument in arguments[1:]})

    def pair():
        degrees = []
        for offset in offsets:
            # The sum has 32 bits: an offset brings a negative address back.
            moved = [Lane(lane.number, (lane.address + offset * step) % 2**32) for lane in lanes]
            degrees += lds_degrees(moved, width, phases, banks)
        return summed(degrees)

    return Question(width, width, capacity - max(offsets) * step, pair, below=min(offsets) * step)


# ---- AMD RDNA ----

# loom's masks, of a wave of 32; amd-shark-ai's latencies on gfx1201.
PAIRED_QUADS = [[*range(0, 4), *range(20, 24)], [*range(4, 8), *range(16, 20)],
                [*range(8, 12), *range(28, 32)], [*range(12, 16), *range(24, 28)]]


def rdna_phases(machine, store, bits, wave):
    """The lanes that LDS serves together: the wave, halves of it for 64 bits, quarters for 96 and 128. A wave64 is two
    waves of 32. gfx12 takes the lanes of loads of 96 and 128 bits in order, and RDNA 2 and 3 do not."""
    if bits in (96, 128) and not store and not machine.startswith("gfx120"):
        half = PAIRED_QUADS
    else:
        size = {64: 16, 96: 8, 128: 8}.get(bits, 32)
        half = [list(range(first, first + size)) for first in range(0, 32, size)]
    return and_plus_32(half) if wave == 64 else half


def clocks_of_l0(lanes, width):
    """32 lanes that hit: a line of each of four tag banks in a clock (address bits 8:7), a dword of each of the 32 data
    banks across a line; more than two lines take two clocks."""
    lines, words = pieces(lanes, width, 128), pieces(lanes, width, 4)
    tags = max(len({line for line in lines if line % 4 == bank}) for bank in range(4))
    data = max(len({word for word in words if word % 32 == bank}) for bank in range(32))
    return max(tags, data, 2 if len(lines) > 2 else 1)


def rdna(machine, name, arguments, side, wave, lanes):
    bits = int(arguments[0])
    width = bits // 8
    if name == "s_load":  # lines of the scalar cache, 64 bytes
        width, size, parts = 4 * bits, 64, [lanes]
    else:
        size, parts = 128, [part for part in groups(lanes, 32, wave) if part]
    if "2addr" in name:
        phases = rdna_phases(machine, "store" in name, bits, wave)
        return two_addresses(name.endswith("stride64"), arguments, lanes, width, 65536, phases, 32)
    if name in ("ds_load", "ds_store"):
        phases = rdna_phases(machine, name == "ds_store", bits, wave)
        return Question(width, 16 if bits == 96 else width, 65536, lambda: summed(lds_degrees(lanes, width, phases, 32)))
    clocked = machine == "gfx1030" and name == "global_load" and bits in (32, 64)

    def memory():
        lines = sum(len(pieces(part, width, size)) for part in parts)
        answer = {"transactions": lines, "bytes_moved": size * lines, "bytes_used": bytes_of(lanes, width)}
        if clocked:  # a half without an active lane is skipped
            answer["clocks"] = sum(clocks_of_l0(part, width) for part in parts)
        if name == "global_atomic":
            answer["operations"] = len(lanes)
        return answer

    # Dwords and more at any dword; atomics, and what was measured for the clocks, at their own size.
    natural = name == "global_atomic" or clocked
    return Question(width, width if natural else min(width, 4), 0, memory)


# VGPRs of a SIMD for a wave32, their granule, the most waves.
REGISTERS = {
    (1024, 8, 20): ("gfx1010", "gfx1012"),
    (1024, 16, 16): ("gfx1030", "gfx1036", "gfx1102", "gfx1103", "gfx1150", "gfx1152", "gfx1153", "gfx1250", "gfx1251"),
    (1536, 24, 16): ("gfx1100", "gfx1101", "gfx1151", "gfx1200", "gfx1201"),
}
RDNA_REGISTERS = {chip: numbers for numbers, chips in REGISTERS.items() for chip in chips}


def up(number, multiple):
    return -(-number // multiple) * multiple


# Bytes of LDS of a compute unit, and their granule.
CDNA_LDS = {"gfx90a": (65536, 512), "gfx942": (65536, 512), "gfx950": (163840, 1280)}


def occupancy_of_cdna(machine, arch, acc, sgprs, lds, group, raw):
    """cdna.md 10; None: to be refused. raw: LDS by the byte, as LLVM counts it."""
    there, granule = line_of(CDNA_LDS, "CDNA_LDS", machine, machine)
    if arch > 256 or acc > 256 or sgprs > 108 or group > 1024 or lds > there or (lds and not group):
        return None
    registers = up(arch, 4) + acc if acc else arch
    by_vgprs = min(8, 512 // up(registers, 8)) if registers else 8
    by_sgprs = 8 if up(sgprs, 16) <= 96 else 7
    by_lds = 8
    if group:
        waves = -(-group // 64)
        bounds = [32 // waves]
        if waves > 1:
            bounds.append(16)
        if lds:
            bounds.append(there // (lds if raw else up(lds, granule)))
        by_lds = max(1, min(8, -(-min(bounds) * waves // 4)))
    return {"by_vgprs": by_vgprs, "by_sgprs": by_sgprs, "by_lds": by_lds, "waves": min(by_vgprs, by_sgprs, by_lds)}


def occupancy_of_rdna(machine, lanes, vgprs, lds, group, cu, raw, llvm):
    """LLVM's rule; None: to be refused. raw: LDS by the byte, llvm: work-groups, as LLVM counts them."""
    total, granule, most = line_of(RDNA_REGISTERS, "REGISTERS", machine, machine)
    other = machine in ("gfx1250", "gfx1251")  # CU mode only, and that of a WGP's four SIMDs; CDNA 5's guide: 32 groups
    if vgprs > (1024 if other else 256) or group > 1024 or lds > (327680 if other else 65536) or (lds and not group) or (other and not cu):
        return None
    halves = lanes // 32
    by_vgprs = min(most, total // halves // up(max(vgprs, 1), granule // halves))
    by_lds = most
    if group:
        simds = 2 if cu and not other else 4
        waves = -(-group // lanes)
        bounds = [most * simds // waves]
        if waves > 1:
            bounds.append(16 if cu and (llvm or not other) else 32)
        if lds:
            unit = 1 if raw else 2048 if other else 512 if machine in ("gfx1010", "gfx1012") else 1024
            bounds.append((327680 if other else 65536 if cu else 131072) // up(lds, unit))
        by_lds = max(1, min(most, -(-min(bounds) * waves // simds)))
    return {"by_vgprs": by_vgprs, "by_lds": by_lds, "waves": min(by_vgprs, by_lds)}


# ---- Questions ----


class Question:
    """Bytes that a lane moves, the alignment of its address, the end of the memory (0: of the address space).
    below: the bytes below 0 at which an address may lie, since the instruction's offsets bring it back.
    unsaid: no document tells what becomes of a misaligned address, so refusing it and answering are both right."""

    def __init__(self, width, alignment, capacity, answer, all_lanes=False, unsaid=False, below=0):
        self.width, self.alignment, self.capacity, self.answer = width, alignment, capacity, answer
        self.all_lanes, self.unsaid, self.below = all_lanes, unsaid, below

    def to_blame(self, lanes):
        """The lanes whose address is to be refused, by kind."""
        end = self.capacity or TOP
        return {
            "misaligned": {lane.number for lane in lanes if lane.address % self.alignment},
            "top" if end == TOP else "end": {
                lane.number for lane in lanes if lane.address + self.width > end and lane.address < TOP - self.below
            },
        }


FAMILIES = {"cc": nvidia, "gcn": gcn, "gfx9": cdna, "gfx1": rdna}
WORD = re.compile(r"^(?:wave64::)?(\w+?)<([\w,]+)>(?:::(\w+))?$")


def family_of(machine):
    return next(family for begins, family in FAMILIES.items() if machine.startswith(begins))


def addresses(text):
    first, *steps = text.split(":")
    found = [int(first, 16)]
    for step in steps:
        by, _, times = step.partition("*")
        for _ in range(int(times or 1)):
            found.append((found[-1] + int(by, 16)) % TOP)
    return found


def difference(said, right):
    """What two answers differ in, in words; None, if in nothing."""
    said = {name: int(number) for name, number in said.items()}
    return "; ".join(
        f"{name} is {said.get(name)}, recomputed {right.get(name)}"
        for name in sorted(set(said) | set(right))
        if said.get(name) != right.get(name)
    ) or None


# ---- Whole launches, thread by thread ----

MAXIMA = ("ways", "lanes_on_one_address")


def launched(extents, block, wave):
    """The places of the threads of every wave: in linear order, or block by block, x fastest; None where a thread
    lies beyond the extents."""
    if not any(block):
        linear = [(x, y, z) for z in range(extents[2]) for y in range(extents[1]) for x in range(extents[0])]
        return [linear[first : first + wave] for first in range(0, len(linear), wave)]
    waves = []
    corners = itertools.product(*(range(0, extents[mode], block[mode]) for mode in (2, 1, 0)))
    for corner in corners:
        places = [
            (corner[2] + x, corner[1] + y, corner[0] + z)
            for z in range(block[2]) for y in range(block[1]) for x in range(block[0])
        ]
        places = [at if all(a < extent for a, extent in zip(at, extents)) else None for at in places]
        waves += [places[first : first + wave] for first in range(0, len(places), wave)]
    return waves


def wave_of(machine, instruction):
    """The threads of a warp or wave: 32 of NVIDIA, 64 of GCN and CDNA, of RDNA as the kernel is compiled."""
    return 32 if machine.startswith("cc") or machine.startswith("gfx1") and "wave64" not in instruction else 64


def complaint_of_a_launch(machine, instruction, fields, answered):
    said = dict(word.split("=") for word in answered.split())
    wave, asked, base = wave_of(machine, instruction), int(fields["lanes"]), int(fields["base"])
    extents, strides, block, swizzle = (
        [int(number) for number in fields[name].split(",")] for name in ("shape", "stride", "block", "swizzle")
    )
    bits, low, shift = swizzle
    name, arguments, side = WORD.match(instruction).groups()
    family = family_of(machine)
    total, refusals = collections.Counter(), set()
    for places in launched(extents, block, wave):
        lanes = []
        for number, at in enumerate(places):
            if at is not None:
                address = base + sum(place * stride for place, stride in zip(at, strides))
                lanes.append(Lane(number, address ^ (address >> low + shift) % 2**bits << low))
        if lanes:  # a wave without an active lane is not issued
            whole = len(lanes) == wave
            if name == "s_load":  # one request of the wave
                refusals |= {"lanes_differ"} if different(lanes) > 1 else set()
                lanes = [Lane(0, lanes[0].address)]
            question = family(machine, name, arguments.split(","), side, asked, lanes[:asked])
            refusals |= {"inactive_lanes"} if question.all_lanes and not whole else set()
            refusals |= {kind for kind, those in question.to_blame(lanes[:asked]).items() if those}
            for number, value in question.answer().items():
                total[number] = max(total[number], value) if number in MAXIMA else total[number] + value
    if "refused" in said or refusals:
        return None if said.get("refused") in refusals else f"said {said}, and to be refused for {refusals}"
    return difference(said, dict(total))


def complaint_of_an_occupancy(machine, fields, answered):
    said = dict(word.split("=") for word in answered.split())
    rule = occupancy_of_cdna if "sgprs" in fields else occupancy_of_rdna
    right = rule(machine, **{name: int(number) for name, number in fields.items()})
    if "refused" in said or right is None:
        return None if "refused" in said and right is None else f"said {said}, recomputed {right or 'a refusal'}"
    return difference(said, right)


def complaint(line):
    """What is wrong with an answer of the corpus; None, if nothing is."""
    asked, _, answered = line.partition(" : ")
    machine, instruction, *rest = asked.split(" ")
    if rest[1].startswith("base="):
        return complaint_of_a_launch(machine, instruction, dict(field.split("=") for field in rest), answered)
    if instruction == "occupancy":
        return complaint_of_an_occupancy(machine, dict(field.split("=") for field in rest), answered)
    machine, instruction, wave, mask, at = asked.split(" ")
    wave, mask, at = int(wave[6:]), int(mask[5:], 16), addresses(at[3:])
    said = dict(word.split("=") for word in answered.split())
    lanes = [Lane(lane, at[lane]) for lane in range(wave) if mask >> lane & 1]
    name, arguments, side = WORD.match(instruction).groups()
    family = family_of(machine)
    question = family(machine, name, arguments.split(","), side, wave, lanes)

    to_blame = question.to_blame(lanes)
    whole = {"mask": mask >> wave != 0, "inactive_lanes": question.all_lanes and mask not in (0, (1 << wave) - 1)}
    refusals = {kind for kind, those in to_blame.items() if those} | {kind for kind, true in whole.items() if true}
    if "refused" in said:
        kind = said["refused"]
        if kind not in refusals:
            return f"refused for {kind}, and it is {refusals or 'right'}"
        if kind in to_blame and int(said["lane"]) not in to_blame[kind]:
            return f"lane {said['lane']} is not to blame, but {to_blame[kind]}"
        return None
    if refusals - ({"misaligned"} if question.unsaid else set()):
        return f"answered, and is to be refused: {refusals}"
    return difference(said, question.answer())


def main():
    lines = subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    if "--doctor" in sys.argv:
        at = next(k for k in range(len(lines) // 2, len(lines)) if re.search(r"[2-9]$", lines[k]))
        lines[at] = lines[at][:-1] + str(int(lines[at][-1]) - 1)
        lines = lines[at - 500 : at + 500]
    count, wrong = collections.Counter(), []
    for line in lines:
        family = line.split(" ", 1)[0]
        family = "launches" if " base=" in line else family_of(family).__name__
        count[family] += 1
        told = complaint(line)
        if told:
            wrong.append(f"{line}\n    {told}")
    for told in wrong[:20]:
        print(told)
    print(f"{len(lines)} questions ({', '.join(f'{n} {family}' for family, n in count.items())}), {len(wrong)} differ")
    few = len(lines) < 30000 and "--doctor" not in sys.argv
    if few:
        print("fewer than 30000 questions")
    sys.exit(1 if wrong or few else 0)


if __name__ == "__main__":
    main()

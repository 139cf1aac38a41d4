# SPDX-License-Identifier: BSL-1.0
"""Kernels of the shapes of Triton's tutorials: a sum of vectors, softmax, a product of matrices, dropout, layer norm,
attention.

KERNELS has for each what a launch would tell the compiler: types, strides of 1 and tile sizes as constants, and which numbers are multiples
of 16 (all pointers are, and on AMD they are to buffers below 2 GiB)."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = i < n
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.load(y + i, mask=inside), mask=inside)


@triton.jit
def softmax_rows(out, source, source_pitch, out_pitch, rows, columns, SIZE: tl.constexpr, STAGES: tl.constexpr):
    c = tl.arange(0, SIZE)
    inside = c < columns
    for r in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        x = tl.load(source + r * source_pitch + c, mask=inside, other=-float("inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out + r * out_pitch + c, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def product(a, b, out, m, n, depth, a_pitch, b_pitch, out_pitch, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    # Tiles of GROUP rows of tiles are done column by column, for the sake of L2.
    tiles_m, tiles_n = tl.cdiv(m, M), tl.cdiv(n, N)
    tile = tl.program_id(0)
    first = tile // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - first, GROUP)
    tile_m = first + tile % (GROUP * tiles_n) % height
    tile_n = tile % (GROUP * tiles_n) // height
    tl.assume(tile_m >= 0)
    tl.assume(tile_n >= 0)
    r = (tile_m * M + tl.arange(0, M)) % m
    c = (tile_n * N + tl.arange(0, N)) % n
    k = tl.arange(0, K)
    left = a + r[:, None] * a_pitch + k[None, :]
    right = b + k[:, None] * b_pitch + c[None, :]
    sum = tl.zeros((M, N), tl.float32)
    for step in range(0, tl.cdiv(depth, K)):
        remains = depth - step * K
        sum = tl.dot(tl.load(left, mask=k[None, :] < remains, other=0.0), tl.load(right, mask=k[:, None] < remains, other=0.0), sum)
        left += K
        right += K * b_pitch
    sum = tl.where(sum >= 0, sum, 0.01 * sum)
    r = tile_m * M + tl.arange(0, M)
    c = tile_n * N + tl.arange(0, N)
    tl.store(out + r[:, None] * out_pitch + c[None, :], sum.to(tl.float16), mask=(r[:, None] < m) & (c[None, :] < n))


@triton.jit
def dropout(x, kept, out, n, p, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = i < n
    rest = tl.load(x + i, mask=inside) / (1 - p)
    tl.store(out + i, tl.where(tl.load(kept + i, mask=inside) != 0, rest, 0.0), mask=inside)


@triton.jit
def seeded_dropout(x, out, n, p, seed, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = i < n
    rest = tl.load(x + i, mask=inside) / (1 - p)
    tl.store(out + i, tl.where(tl.rand(seed, i) > p, rest, 0.0), mask=inside)


@triton.jit
def norm(x, y, weight, bias, means, scales, pitch, columns, epsilon, SIZE: tl.constexpr):
    row = tl.program_id(0)
    x += row * pitch
    y += row * pitch
    sum = tl.zeros([SIZE], tl.float32)
    for at in range(0, columns, SIZE):
        c = at + tl.arange(0, SIZE)
        sum += tl.load(x + c, mask=c < columns, other=0.0).to(tl.float32)
    mean = tl.sum(sum, axis=0) / columns
    squares = tl.zeros([SIZE], tl.float32)
    for at in range(0, columns, SIZE):
        c = at + tl.arange(0, SIZE)
        from_mean = tl.where(c < columns, tl.load(x + c, mask=c < columns, other=0.0).to(tl.float32) - mean, 0.0)
        squares += from_mean * from_mean
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    for at in range(0, columns, SIZE):
        c = at + tl.arange(0, SIZE)
        inside = c < columns
        w = tl.load(weight + c, mask=inside)
        b = tl.load(bias + c, mask=inside)
        normal = (tl.load(x + c, mask=inside, other=0.0).to(tl.float32) - mean) * scale
        tl.store(y + c, normal * w + b, mask=inside)


@triton.jit
def norm_backward(dx, dy, weight_sums, bias_sums, x, weight, means, scales, locks, pitch, columns, GROUPS: tl.constexpr, SIZE: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, SIZE)
    inside = c < columns
    group = row % GROUPS
    lock = locks + group
    used = lock + GROUPS
    of_x = tl.load(x + row * pitch + c, mask=inside, other=0).to(tl.float32)
    of_y = tl.load(dy + row * pitch + c, mask=inside, other=0).to(tl.float32)
    w = tl.load(weight + c, mask=inside).to(tl.float32)
    scale = tl.load(scales + row)
    normal = tl.where(inside, (of_x - tl.load(means + row)) * scale, 0.0)
    weighted = tl.where(inside, w * of_y, 0.0)
    along = tl.sum(normal * weighted, axis=0) / columns
    mean = tl.sum(weighted, axis=0) / columns
    tl.store(dx + row * pitch + c, (weighted - (normal * along + mean)) * scale, mask=inside)
    dw = of_y * normal
    db = of_y
    weight_sums += group * columns + c
    bias_sums += group * columns + c
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(used) == 0:
        tl.atomic_xchg(used, 1)
    else:
        dw += tl.load(weight_sums, mask=inside)
        db += tl.load(bias_sums, mask=inside)
    tl.store(weight_sums, dw.to(tl.float16), mask=inside)
    tl.store(bias_sums, db.to(tl.float16), mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def norm_sums(weight_sums, bias_sums, dw, db, groups, columns, M: tl.constexpr, N: tl.constexpr):
    c = tl.program_id(0) * N + tl.arange(0, N)
    w = tl.zeros((M, N), tl.float32)
    b = tl.zeros((M, N), tl.float32)
    for at in range(0, groups, M):
        r = at + tl.arange(0, M)
        inside = (r[:, None] < groups) & (c[None, :] < columns)
        w += tl.load(weight_sums + r[:, None] * columns + c[None, :], mask=inside, other=0.0)
        b += tl.load(bias_sums + r[:, None] * columns + c[None, :], mask=inside, other=0.0)
    tl.store(dw + c, tl.sum(w, axis=0), mask=c < columns)
    tl.store(db + c, tl.sum(b, axis=0), mask=c < columns)


@triton.jit
def over_keys(sum, weights, most, q, k, v, base, scale, low, high, r, N: tl.constexpr, D: tl.constexpr, DIAGONAL: tl.constexpr,
              DESCRIPTORS: tl.constexpr):
    d = tl.arange(0, D)
    for at in tl.range(low, high, N):
        at = tl.multiple_of(at, N)
        c = at + tl.arange(0, N)
        if DESCRIPTORS:
            keys = k.load([base + at, 0]).T
        else:
            keys = tl.load(k + (base + c)[None, :] * D + d[:, None])
        s = tl.dot(q, keys)
        if DIAGONAL:
            s = s * scale + tl.where(r[:, None] >= c[None, :], 0, -1.0e6)
            new_most = tl.maximum(most, tl.max(s, 1))
            s -= new_most[:, None]
        else:
            new_most = tl.maximum(most, tl.max(s, 1) * scale)
            s = s * scale - new_most[:, None]
        p = tl.math.exp2(s)
        fade = tl.math.exp2(most - new_most)
        weights = weights * fade + tl.sum(p, 1)
        most = new_most
        if DESCRIPTORS:
            values = v.load([base + at, 0])
        else:
            values = tl.load(v + (base + c)[:, None] * D + d[None, :])
        sum = tl.dot(p.to(tl.float16), values, sum * fade[:, None])
    return sum, weights, most


@triton.jit
def attention(q, k, v, logs, out, scale, heads, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
              DESCRIPTORS: tl.constexpr):
    first = tl.program_id(0) * M
    head = tl.program_id(1)
    base = (head // heads) * (length * heads) + (head % heads) * length
    r = first + tl.arange(0, M)
    d = tl.arange(0, D)
    scale *= 1.44269504
    if DESCRIPTORS:
        queries = q.load([base + first, 0])
    else:
        queries = tl.load(q + (base + r)[:, None] * D + d[None, :])
    sum = tl.zeros((M, D), tl.float32)
    weights = tl.zeros([M], tl.float32) + 1.0
    most = tl.zeros([M], tl.float32) - float("inf")
    if CAUSAL:
        sum, weights, most = over_keys(sum, weights, most, queries, k, v, base, scale, 0, first, r, N, D, False, DESCRIPTORS)
        sum, weights, most = over_keys(sum, weights, most, queries, k, v, base, scale, tl.multiple_of(first, M), first + M, r, N, D, True,
                                       DESCRIPTORS)
    else:
        sum, weights, most = over_keys(sum, weights, most, queries, k, v, base, scale, 0, length, r, N, D, False, DESCRIPTORS)
    tl.store(logs + head * length + r, most + tl.math.log2(weights))
    result = (sum / weights[:, None]).to(tl.float16)
    if DESCRIPTORS:
        out.store([base + first, 0], result)
    else:
        tl.store(out + (base + r)[:, None] * D + d[None, :], result)


@triton.jit
def attention_deltas(out, dout, deltas, length, M: tl.constexpr, D: tl.constexpr):
    r = tl.program_id(0) * M + tl.arange(0, M)
    head = tl.program_id(1)
    at = head * D * length + r[:, None] * D + tl.arange(0, D)[None, :]
    delta = tl.sum(tl.load(out + at) * tl.load(dout + at).to(tl.float32), axis=1)
    tl.store(deltas + head * length + r, delta)


@triton.jit
def keys_backward(dk, dv, q, k, v, dout, logs, deltas, pitch, c, first, steps, M: tl.constexpr, D: tl.constexpr, DIAGONAL: tl.constexpr):
    d = tl.arange(0, D)
    r = first + tl.arange(0, M)
    queries = q + r[None, :] * pitch + d[:, None]
    gradients = dout + r[:, None] * pitch + d[None, :]
    for _ in range(steps):
        transposed = tl.load(queries)
        p = tl.math.exp2(tl.dot(k, transposed) - tl.load(logs + r)[None, :])
        if DIAGONAL:
            p = tl.where(r[None, :] >= c[:, None], p, 0.0)
        g = tl.load(gradients)
        dv += tl.dot(p.to(tl.float16), g)
        ds = p * (tl.dot(v, tl.trans(g)).to(tl.float32) - tl.load(deltas + r)[None, :])
        dk += tl.dot(ds.to(tl.float16), tl.trans(transposed))
        r += M
        queries += M * pitch
        gradients += M * pitch
    return dk, dv


@triton.jit
def queries_backward(dq, q, k, v, g, log, delta, pitch, r, first, steps, N: tl.constexpr, D: tl.constexpr, DIAGONAL: tl.constexpr):
    d = tl.arange(0, D)
    c = first + tl.arange(0, N)
    keys = k + c[None, :] * pitch + d[:, None]
    values = v + c[None, :] * pitch + d[:, None]
    for _ in range(steps):
        transposed = tl.load(keys)
        p = tl.math.exp2(tl.dot(q, transposed) - log)
        if DIAGONAL:
            p = tl.where(r[:, None] >= c[None, :], p, 0.0)
        ds = p * (tl.dot(g, tl.load(values)).to(tl.float32) - delta[:, None])
        dq += tl.dot(ds.to(tl.float16), tl.trans(transposed))
        c += N
        keys += N * pitch
        values += N * pitch
    return dq


@triton.jit
def attention_backward(q, k, v, scale, dout, dq, dk, dv, logs, deltas, z_pitch, h_pitch, pitch, heads, length, SMALL: tl.constexpr,
                       LARGE: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    head = tl.program_id(2)
    base = (h_pitch * (head % heads) + z_pitch * (head // heads)).to(tl.int64)
    q += base
    k += base
    v += base
    dout += base
    dq += base
    dk += base
    dv += base
    logs += (head * length).to(tl.int64)
    deltas += (head * length).to(tl.int64)
    first = tl.program_id(0) * LARGE
    d = tl.arange(0, D)
    c = first + tl.arange(0, LARGE)
    here = c[:, None] * pitch + d[None, :]

    key_sum = tl.zeros([LARGE, D], tl.float32)
    value_sum = tl.zeros([LARGE, D], tl.float32)
    keys = tl.load(k + here)
    values = tl.load(v + here)
    start = 0
    if CAUSAL:
        start = first
        key_sum, value_sum = keys_backward(key_sum, value_sum, q, keys, values, dout, logs, deltas, pitch, c, start, LARGE // SMALL, SMALL, D, True)
        start += LARGE
    key_sum, value_sum = keys_backward(key_sum, value_sum, q, keys, values, dout, logs, deltas, pitch, c, start, (length - start) // SMALL,
                                       SMALL, D, False)
    tl.store(dv + here, value_sum)
    tl.store(dk + here, key_sum * scale)

    query = tl.load(q + here)
    g = tl.load(dout + here)
    log = tl.load(logs + c)[:, None]
    delta = tl.load(deltas + c)
    query_sum = tl.zeros([LARGE, D], tl.float32)
    if CAUSAL:
        query_sum = queries_backward(query_sum, query, k, v, g, log, delta, pitch, c, first, LARGE // SMALL, SMALL, D, True)
        steps = first // SMALL
    else:
        steps = length // SMALL
    query_sum = queries_backward(query_sum, query, k, v, g, log, delta, pitch, c, 0, steps, SMALL, D, False)
    tl.store(dq + here, query_sum * 0.69314718)


# The name of a kernel, its function, the types of its arguments ("i32*16" is a multiple of 16), its constants, its warps, its stages.
half, word, times = "*fp16", "*fp32", "i32*16"
NORM = dict(weight=half, bias=half, means=word, scales=word, pitch=times, columns=times)
FORWARD = dict(scale="fp32", heads="i32", length=times)
BACKWARD = dict(q=half, k=half, v=half, scale="fp32", dout=half, dq=half, dk=half, dv=half, logs=word, deltas=word, z_pitch=times,
                h_pitch=times, pitch=times, heads="i32", length=times)
KERNELS = {
    "add": (add, dict(x=word, y=word, out=word, n=times), dict(SIZE=1024), 4, 3),
    # one word an access, since the mask may cut between neighbours
    "add, any n": (add, dict(x=word, y=word, out=word, n="i32"), dict(SIZE=1024), 4, 3),
    "softmax": (softmax_rows, dict(out=word, source=word, source_pitch="i32", out_pitch="i32", rows="i32", columns="i32"),
                dict(SIZE=1024, STAGES=4), 8, 4),
    "matmul": (product, dict(a=half, b=half, out=half, m=times, n=times, depth=times, a_pitch=times, b_pitch=times, out_pitch=times),
               dict(M=128, N=64, K=32, GROUP=8), 4, 4),
    "dropout": (dropout, dict(x=word, kept="*i32", out=word, n=times, p="fp32"), dict(SIZE=1024), 4, 3),
    "dropout, seeded": (seeded_dropout, dict(x=word, out=word, n=times, p="fp32", seed="i32"), dict(SIZE=1024), 4, 3),
    "layer norm": (norm, dict(x=half, y=half, **NORM, epsilon="fp32"), dict(SIZE=8192), 8, 3),
    "layer norm, backward": (norm_backward, dict(dx=half, dy=half, weight_sums=half, bias_sums=half, x=half, weight=half, means=word,
                                                 scales=word, locks="*i32", pitch=times, columns=times), dict(GROUPS=96, SIZE=8192), 8, 3),
    "layer norm, sums": (norm_sums, dict(weight_sums=half, bias_sums=half, dw=half, db=half, groups=times, columns=times),
                         dict(M=32, N=128), 4, 3),
    "attention": (attention, dict(q=half, k=half, v=half, logs=word, out=half, **FORWARD),
                  dict(M=128, N=64, D=64, CAUSAL=True, DESCRIPTORS=False), 4, 3),
    "attention, not causal": (attention, dict(q=half, k=half, v=half, logs=word, out=half, **FORWARD),
                              dict(M=64, N=32, D=64, CAUSAL=False, DESCRIPTORS=False), 4, 3),
    "attention, descriptors": (attention, dict(q="tensordesc<fp16[64, 64]>", k="tensordesc<fp16[32, 64]>", v="tensordesc<fp16[32, 64]>",
                                               logs=word, out="tensordesc<fp16[64, 64]>", **FORWARD),
                               dict(M=64, N=32, D=64, CAUSAL=True, DESCRIPTORS=True), 4, 3),
    "attention, deltas": (attention_deltas, dict(out=half, dout=half, deltas=word, length=times), dict(M=128, D=64), 4, 3),
    "attention, backward": (attention_backward, BACKWARD, dict(SMALL=32, LARGE=128, D=64, CAUSAL=True), 4, 5),
}

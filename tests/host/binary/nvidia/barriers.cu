// SPDX-License-Identifier: BSL-1.0
// Kernels with barriers of a part of the block, barriers that add up, and clusters. barriers.cpp runs their SASS.
using u32 = unsigned;
extern "C" __global__ void named(u32* out, u32 const* in) {
  __shared__ u32 tile[256];
  u32 t = threadIdx.x;
  tile[t] = in[t];
  if (t < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 192;" ::: "memory");
  out[t] = tile[t < 64 ? 63 - t : 255 - (t - 64)];
}
extern "C" __global__ void named_register(u32* out, u32 const* in, u32 n) {
  __shared__ u32 tile[256];
  u32 t = threadIdx.x, g = t / 64;
  tile[t] = in[t];
  asm volatile("bar.sync %0, %1;" ::"r"(g + 1), "r"(n) : "memory");
  out[t] = tile[t ^ 63];
}
extern "C" __global__ void arrives(u32* out, u32 const* in) {
  __shared__ u32 tile[128];
  u32 t = threadIdx.x;
  if (t < 128) {
    tile[t] = in[t];
    asm volatile("bar.arrive 3, 256;" ::: "memory");
  } else {
    asm volatile("bar.sync 3, 256;" ::: "memory");
    out[t - 128] = tile[255 - t];
  }
}
// Four warps fill the tile again and again; the four others empty it. Barrier 1: it is empty; barrier 2: it is full.
extern "C" __global__ void piped(u32* out, u32 const* in) {
  __shared__ u32 tile[128];
  u32 t = threadIdx.x;
  if (t < 128)
#pragma unroll 1
    for (u32 k = 0; k < 4; ++k) {
      asm volatile("bar.sync 1, 256;" ::: "memory");
      tile[t] = in[k * 128 + t];
      asm volatile("bar.arrive 2, 256;" ::: "memory");
    }
  else
#pragma unroll 1
    for (u32 k = 0; k < 4; ++k) {
      asm volatile("bar.arrive 1, 256;" ::: "memory");
      asm volatile("bar.sync 2, 256;" ::: "memory");
      out[k * 128 + t - 128] = tile[255 - t];
    }
}
extern "C" __global__ void counted(u32* out, u32 const* in) {
  __shared__ u32 tile[256];
  u32 t = threadIdx.x;
  tile[t] = in[t];
  u32 sum =
      __syncthreads_count(t % 3 == 0) + (__syncthreads_or(t == 7) ? 1000 : 0) + (__syncthreads_and(t < 255) ? 0 : 5);
  out[t] = tile[255 - t] + sum;
}
// The ticket depends on the order of the warps, and so does the address.
extern "C" __global__ void tickets(u32* out, u32 const* in) {
  __shared__ u32 next;
  u32 t = threadIdx.x, mine = 0;
  if (t == 0) next = 0;
  __syncthreads();
  if (t % 32 == 0) mine = atomicAdd(&next, 32);
  out[t] = in[__shfl_sync(~0u, mine, 0) + t % 32];
}
#if __CUDA_ARCH__ >= 900
// Each block of a cluster of four reads the next one's tile.
extern "C" __global__ void __cluster_dims__(4, 1, 1) clustered(u32* out, u32 const* in) {
  __shared__ u32 tile[128];
  u32 rank, there, v, t = threadIdx.x, at = (u32)__cvta_generic_to_shared(&tile[127 - t]);
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  tile[t] = in[blockIdx.x * 128 + t];
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"((rank + 1) % 4));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(there));
  out[blockIdx.x * 128 + t] = v;
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(v));
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(v));
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#endif

// A row of 1,024 values for a work-group of eight waves of gfx1100: each wave's greatest value and sum go through LDS.
__global__ void softmax(float const* in, float* out) {
  __shared__ float of_waves[8];
  float4 x = reinterpret_cast<float4 const*>(in + blockIdx.x * 1024)[threadIdx.x];
  float most = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
  for (int bits = warpSize / 2; bits > 0; bits /= 2) most = fmaxf(most, __shfl_xor(most, bits));
  if (__builtin_amdgcn_mbcnt_lo(~0u, 0u) == 0) of_waves[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < 8; ++k) most = fmaxf(most, of_waves[k]);
  x.x = __expf(x.x - most), x.y = __expf(x.y - most), x.z = __expf(x.z - most), x.w = __expf(x.w - most);
  float sum = x.x + x.y + x.z + x.w;
  for (int bits = warpSize / 2; bits > 0; bits /= 2) sum += __shfl_xor(sum, bits);
  __syncthreads();
  if (__builtin_amdgcn_mbcnt_lo(~0u, 0u) == 0) of_waves[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.f;
  for (int k = 0; k < 8; ++k) sum += of_waves[k];
  reinterpret_cast<float4*>(out + blockIdx.x * 1024)[threadIdx.x] =
      make_float4(x.x / sum, x.y / sum, x.z / sum, x.w / sum);
}

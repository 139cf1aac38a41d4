// A warp for each row, four values at a time.
__device__ __forceinline__ float warp_sum(float x) {
  for (int bits = 16; bits > 0; bits /= 2) x += __shfl_xor_sync(0xffffffffu, x, bits);
  return x;
}
template <int Columns>
__global__ void __launch_bounds__(128) layer_norm(float const* __restrict__ in, float* __restrict__ out, float epsilon) {
  int const row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y), lane = static_cast<int>(threadIdx.x);
  float4 const* const from = reinterpret_cast<float4 const*>(in + row * Columns);
  float4 held[Columns / 128];
  float sum = 0.f, squares = 0.f;
  for (int k = 0; k < Columns / 128; ++k) {
    held[k] = from[k * 32 + lane];
    sum += held[k].x + held[k].y + held[k].z + held[k].w;
  }
  float const mean = warp_sum(sum) / Columns;
  for (int k = 0; k < Columns / 128; ++k) {
    held[k].x -= mean, held[k].y -= mean, held[k].z -= mean, held[k].w -= mean;
    squares += held[k].x * held[k].x + held[k].y * held[k].y + held[k].z * held[k].z + held[k].w * held[k].w;
  }
  float const scale = rsqrtf(warp_sum(squares) / Columns + epsilon);
  for (int k = 0; k < Columns / 128; ++k) {
    float4 const one = make_float4(held[k].x * scale, held[k].y * scale, held[k].z * scale, held[k].w * scale);
    reinterpret_cast<float4*>(out + row * Columns)[k * 32 + lane] = one;
  }
}

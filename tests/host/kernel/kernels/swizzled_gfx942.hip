// A tile of 64 x 64 floats turned through LDS by 256 work-items of gfx942. The column is exchanged by an exclusive or.
__global__ void swizzled(float const* in, float* out) {
  __shared__ float tile[64][64];
  int const lane = static_cast<int>(threadIdx.x) % 64, wave = static_cast<int>(threadIdx.x) / 64;
  for (int row = wave; row < 64; row += 4) tile[row][lane ^ row] = in[row * 64 + lane];
  __syncthreads();
  for (int row = wave; row < 64; row += 4) out[row * 64 + lane] = tile[lane][row ^ lane];
}

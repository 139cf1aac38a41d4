// Five points, with a halo in shared memory.
__global__ void stencil(float const* in, float* out, int width) {
  __shared__ float tile[10][34];
  int const tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  int const x = static_cast<int>(blockIdx.x) * 32 + tx + 1, y = static_cast<int>(blockIdx.y) * 8 + ty + 1;
  tile[ty + 1][tx + 1] = in[y * width + x];
  if (tx == 0) tile[ty + 1][0] = in[y * width + x - 1];
  if (tx == 31) tile[ty + 1][33] = in[y * width + x + 1];
  if (ty == 0) tile[0][tx + 1] = in[(y - 1) * width + x];
  if (ty == 7) tile[9][tx + 1] = in[(y + 1) * width + x];
  __syncthreads();
  out[y * width + x] = 0.2f * (tile[ty + 1][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                               tile[ty + 2][tx + 1]);
}

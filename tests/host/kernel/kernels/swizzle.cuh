// A tile that is turned. `swizzle` tells which column of it a row's value has.
__global__ void turn(float const* in, float* out) {
  __shared__ float tile[32][32];
  for (unsigned row = 0; row < 32; ++row) tile[row][swizzle(row, threadIdx.x)] = in[row * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned row = 0; row < 32; ++row) out[row * 32 + threadIdx.x] = tile[threadIdx.x][swizzle(threadIdx.x, row)];
}

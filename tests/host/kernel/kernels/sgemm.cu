// A tile of 64 x 64 of C, 8 of K at a time; each of 256 threads has 4 x 4 of it. Vector loads; A is stored transposed.
__global__ void sgemm(int M, int N, int K, float const* A, float const* B, float* C) {
  __shared__ float As[8][64];
  __shared__ float Bs[8][64];
  int const t = static_cast<int>(threadIdx.x), tx = t % 16, ty = t / 16;
  int const row = static_cast<int>(blockIdx.y) * 64, column = static_cast<int>(blockIdx.x) * 64;
  float sums[4][4] = {};
  (void)M;
  for (int k = 0; k < K; k += 8) {
    if (t < 128) {
      float4 const a = *reinterpret_cast<float4 const*>(&A[(row + t / 2) * K + k + t % 2 * 4]);
      As[t % 2 * 4 + 0][t / 2] = a.x;
      As[t % 2 * 4 + 1][t / 2] = a.y;
      As[t % 2 * 4 + 2][t / 2] = a.z;
      As[t % 2 * 4 + 3][t / 2] = a.w;
    } else {
      int const s = t - 128;
      *reinterpret_cast<float4*>(&Bs[s / 16][s % 16 * 4]) =
          *reinterpret_cast<float4 const*>(&B[(k + s / 16) * N + column + s % 16 * 4]);
    }
    __syncthreads();
    for (int j = 0; j < 8; ++j) {
      float4 const a = *reinterpret_cast<float4 const*>(&As[j][ty * 4]);
      float4 const b = *reinterpret_cast<float4 const*>(&Bs[j][tx * 4]);
      float const as[4] = {a.x, a.y, a.z, a.w}, bs[4] = {b.x, b.y, b.z, b.w};
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) sums[y][x] += as[y] * bs[x];
    }
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y)
    *reinterpret_cast<float4*>(&C[(row + ty * 4 + y) * N + column + tx * 4]) =
        make_float4(sums[y][0], sums[y][1], sums[y][2], sums[y][3]);
}

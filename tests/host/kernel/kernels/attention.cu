// A row of queries in each thread, keys and values in tiles of 32 x 32 in shared memory, the softmax online.
constexpr int head = 32;
__global__ void attention(float const* q, float const* k, float const* v, float* out, int keys, float scale) {
  __shared__ float ks[32][head];
  __shared__ float vs[32][head];
  __shared__ float scores[32][33];
  int const t = static_cast<int>(threadIdx.x), row = static_cast<int>(blockIdx.x) * 32 + t;
  float sum[head] = {}, most = -INFINITY, weights = 0.f;
  for (int tile = 0; tile < keys; tile += 32) {
    for (int j = 0; j < 32; ++j) {
      ks[j][t] = k[(tile + j) * head + t];
      vs[j][t] = v[(tile + j) * head + t];
    }
    __syncthreads();
    float tile_most = most;
    for (int j = 0; j < 32; ++j) {
      float score = 0.f;
      for (int d = 0; d < head; ++d) score += q[row * head + d] * ks[j][d];
      scores[t][j] = score * scale;
      tile_most = fmaxf(tile_most, score * scale);
    }
    float const factor = __expf(most - tile_most);
    weights *= factor;
    for (int d = 0; d < head; ++d) sum[d] *= factor;
    for (int j = 0; j < 32; ++j) {
      float const p = __expf(scores[t][j] - tile_most);
      weights += p;
      for (int d = 0; d < head; ++d) sum[d] += p * vs[j][d];
    }
    most = tile_most;
    __syncthreads();
  }
  for (int d = 0; d < head; ++d) out[row * head + d] = sum[d] / weights;
}

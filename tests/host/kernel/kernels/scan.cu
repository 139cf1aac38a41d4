// Blelloch's scan of a block, without padding: two values of a thread, in a tree.
template <int N>
__global__ void scan(float* data) {
  __shared__ float temp[N];
  int const t = static_cast<int>(threadIdx.x);
  int offset = 1;
  temp[2 * t] = data[2 * t];
  temp[2 * t + 1] = data[2 * t + 1];
  for (int d = N / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      int const a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      temp[b] = temp[b] + temp[a];
    }
    offset *= 2;
  }
  if (t == 0) temp[N - 1] = 0.f;
  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int const a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      float const left = temp[a];
      temp[a] = temp[b];
      temp[b] = temp[b] + left;
    }
  }
  __syncthreads();
  data[2 * t] = temp[2 * t];
  data[2 * t + 1] = temp[2 * t + 1];
}

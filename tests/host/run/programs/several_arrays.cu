// The lanes of one instruction access two arrays of shared memory.
__global__ void choose(float* out) {
  __shared__ float s[64], t[64];
  int i = threadIdx.x;
  s[i] = i;
  t[i] = 2 * i;
  __syncthreads();
  float* p = i & 1 ? s : t;
  out[i] = p[i];
  out[i + 64] = p[i / 2 * 2];
}
int main() {
  float* out;
  cudaMallocManaged(&out, 4096);
  choose<<<1, 64>>>(out);
  return out[3] == 3 && out[2] == 4 && out[64 + 3] == 2 ? 0 : 1;
}

// A thread's own array of 320,000 bytes. A GPU has 512 KiB for each thread.
__global__ void begin(int* out) {
  __syncthreads();
  out[threadIdx.x] = 0;
}
__global__ void scatter(int* out, int n) {
  int own[80000];
  for (int k = 0; k < n; k++) own[k * 97 % 80000] = k + threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; k++) sum += own[k * 97 % 80000];
  out[threadIdx.x] = sum;
}
int main() {
  int* out;
  cudaMallocManaged(&out, 4096);
  begin<<<1, 64>>>(out);
  scatter<<<1, 32>>>(out, 1000);
  for (int i = 0; i < 32; i++)
    if (out[i] != 499500 + 1000 * i) return 1;
}

// y = A x, A in rows (CSR): a thread for each row.
__global__ void spmv(int rows, int const* starts, int const* columns, float const* values, float const* x, float* y) {
  int const row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < rows) {
    float sum = 0.f;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

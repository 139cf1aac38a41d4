// An `if` on data in a loop: lanes reach the accesses of the inner `if` in different rounds. Lane k of the warp has k % 4
// neighbours, of which the odd ones are not visited yet.
#include <cstdio>

struct node {
  int first, count;
};

__global__ void visit(const node* nodes, const int* edges, const int* is_visited, int* cost, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int e = nodes[i].first; e < nodes[i].first + nodes[i].count; ++e) {
    int to = edges[e];
    if (!is_visited[to])
      cost[to] = i;
  }
}

int main() {
  const int n = 32;
  node nodes[n];
  int edges[4 * n], visited[n], cost[n];
  for (int k = 0; k < n; ++k) {
    nodes[k] = {4 * k, k % 4}, visited[k] = k % 2 == 0, cost[k] = -1;
    for (int e = 0; e < 4; ++e) edges[4 * k + e] = (k + e) % n;
  }
  node* d_nodes;
  int *d_edges, *d_visited, *d_cost;
  cudaMalloc(&d_nodes, sizeof nodes), cudaMalloc(&d_edges, sizeof edges);
  cudaMalloc(&d_visited, sizeof visited), cudaMalloc(&d_cost, sizeof cost);
  cudaMemcpy(d_nodes, nodes, sizeof nodes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_edges, edges, sizeof edges, cudaMemcpyHostToDevice);
  cudaMemcpy(d_visited, visited, sizeof visited, cudaMemcpyHostToDevice);
  cudaMemcpy(d_cost, cost, sizeof cost, cudaMemcpyHostToDevice);
  visit<<<1, n>>>(d_nodes, d_edges, d_visited, d_cost, n);
  cudaMemcpy(cost, d_cost, sizeof cost, cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; ++k)
    if ((cost[k] >= 0) != (k % 2 == 1)) return 1;
  return 0;
}

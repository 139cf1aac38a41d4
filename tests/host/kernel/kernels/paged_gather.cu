// Tokens of a cache that lies in pages: 16 bytes of a lane, the pages from a table.
__global__ void paged_gather(uint4 const* cache, int const* pages, uint4* out, int page_tokens, int token_vectors) {
  int const token = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x);
  int const page = pages[token / page_tokens];
  uint4 const* const from = cache + (page * page_tokens + token % page_tokens) * token_vectors;
  for (int i = lane; i < token_vectors; i += static_cast<int>(blockDim.x)) out[token * token_vectors + i] = from[i];
}

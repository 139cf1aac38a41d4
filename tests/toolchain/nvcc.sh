# SPDX-License-Identifier: BSL-1.0
# Sourced: sets `nvcc`, empty if there is no nvcc. If the environment names a CUDA toolkit, its compiler has to be there.
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc || true)
if [[ -z $nvcc && -n ${CUDA_HOME:-} ]]; then
  echo "CUDA_HOME is $CUDA_HOME, and there is no nvcc" >&2
  exit 1
fi

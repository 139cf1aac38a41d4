// SPDX-License-Identifier: BSL-1.0
"use strict";

// Which module has which machines, and products that people know them by. A test compares the names with the library's.
// NVIDIA's products: developer.nvidia.com/cuda-gpus and cuda-legacy-gpus. AMD's: llvm.org/docs/AMDGPUUsage.html, "Processors".

const machines_of_modules = [
  {module: "cuda_to_cc121", label: "NVIDIA, CC 12", machines: [
    {name: "cuda::cc121", known_as: "GB10 (DGX Spark)"}, {name: "cuda::cc120", known_as: "RTX 5090"}]},
  {module: "cuda_to_cc110", label: "NVIDIA, CC 10 and 11", machines: [
    {name: "cuda::cc110", known_as: "Jetson T5000 (Thor)"}, {name: "cuda::cc107"}, {name: "cuda::cc103", known_as: "B300, GB300"},
    {name: "cuda::cc100", known_as: "B200, GB200"}]},
  {module: "cuda_to_hopper", label: "NVIDIA, Ampere to Hopper", machines: [
    {name: "cuda::cc90", known_as: "H100, H200, GH200"}, {name: "cuda::cc89", known_as: "RTX 4090, L4, L40"}, {name: "cuda::cc88"},
    {name: "cuda::cc87", known_as: "Jetson Orin"}, {name: "cuda::cc86", known_as: "RTX 3090, A10, A40"}, {name: "cuda::cc80", known_as: "A100, A30"}]},
  {module: "cuda_to_turing", label: "NVIDIA, Maxwell to Turing", machines: [
    {name: "cuda::cc75", known_as: "T4, RTX 2080"}, {name: "cuda::cc72", known_as: "Jetson AGX Xavier"}, {name: "cuda::cc70", known_as: "V100"},
    {name: "cuda::cc62", known_as: "Jetson TX2"}, {name: "cuda::cc61", known_as: "GTX 1080, P4, P40"}, {name: "cuda::cc60", known_as: "P100"},
    {name: "cuda::cc53", known_as: "Jetson Nano"}, {name: "cuda::cc52", known_as: "GTX 980, M40"}, {name: "cuda::cc50", known_as: "GTX 750"}]},
  {module: "cuda_to_kepler", label: "NVIDIA, Kepler", machines: [
    {name: "cuda::cc37", known_as: "K80"}, {name: "cuda::cc35", known_as: "K20, K40"}, {name: "cuda::cc32"}, {name: "cuda::cc30", known_as: "GTX 680"}]},
  {module: "cuda_to_fermi", label: "NVIDIA, Tesla and Fermi", machines: [
    {name: "cuda::cc21"}, {name: "cuda::cc20", known_as: "GTX 480"}, {name: "cuda::cc13"}, {name: "cuda::cc12"}, {name: "cuda::cc11"}, {name: "cuda::cc10"}]},
  {module: "cdna", label: "AMD CDNA", machines: [
    {name: "cdna::gfx950", known_as: "MI350X, MI355X"}, {name: "cdna::gfx942", known_as: "MI300X, MI300A, MI325X"},
    {name: "cdna::gfx90a", known_as: "MI210, MI250X"}]},
  {module: "rdna_from_3_5", label: "AMD RDNA 3.5 and 4, gfx125x", machines: [
    {name: "rdna::gfx1251"}, {name: "rdna::gfx1250"}, {name: "rdna::gfx1201", known_as: "RX 9070"}, {name: "rdna::gfx1200", known_as: "RX 9060"},
    {name: "rdna::gfx1153"}, {name: "rdna::gfx1152"}, {name: "rdna::gfx1151", known_as: "Radeon 8060S"}, {name: "rdna::gfx1150", known_as: "Radeon 890M"},
    {name: "rdna::gfx1170"}, {name: "rdna::gfx1171"}, {name: "rdna::gfx1172"}, {name: "rdna::gfx1310"}]},
  {module: "rdna_to_3", label: "AMD RDNA 3", machines: [
    {name: "rdna::gfx1103", known_as: "Radeon 780M"}, {name: "rdna::gfx1102", known_as: "RX 7600"}, {name: "rdna::gfx1101", known_as: "RX 7800 XT"},
    {name: "rdna::gfx1100", known_as: "RX 7900 XTX"}]},
  {module: "rdna_to_2", label: "AMD RDNA 1 and 2", machines: [
    {name: "rdna::gfx1036"}, {name: "rdna::gfx1030", known_as: "RX 6800, RX 6900 XT"},
    {name: "rdna::gfx1012", known_as: "RX 5500"}, {name: "rdna::gfx1010", known_as: "RX 5700"}]},
  {module: "gcn", label: "AMD GCN", machines: [{name: "gcn", known_as: "Southern Islands to Vega 20, MI100"}]},
];

/** The machine of that name, or of another that people know: cc90, sm_90, h100, "RTX 5090". Other words are returned as they are. */
function machine_called(words) {
  const packed = text => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const names_of = ({name, known_as = ""}) => [name, name.replace(/^\w+::/, ""), name.replace("cuda::cc", "sm_"), ...known_as.split(/[,()]/)];
  const machines = machines_of_modules.flatMap(each => each.machines);
  return machines.find(each => names_of(each).some(name => packed(name) === packed(words)))?.name ?? words;
}

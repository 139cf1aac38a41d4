// SPDX-License-Identifier: BSL-1.0
// From here to end_copied_pairs.h, __half2 and __nv_bfloat162 are copied as on a device: as one number of 32 bits. NVIDIA's
// headers have a way for devices and one for hosts in NV_IF_ELSE_TARGET (libcu++, <nv/target>). This one takes the way for
// devices where it begins with the macro that names those 32 bits, and else the way for hosts. Tried with CUDA 12.0, 12.4,
// 12.9, 13.0 and 13.5. (This file has no #pragma once, since each use needs it.)
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#pragma push_macro("NV_IF_ELSE_TARGET")
#undef NV_IF_ELSE_TARGET
#define NV_IF_ELSE_TARGET(target, on_device, on_host) \
  COALESCE_CHOSEN(COALESCE_SECOND(COALESCE_BEGINS_##on_device, 0, ), on_device, on_host)
#define COALESCE_BEGINS___HALF2_TO_UI(of) , 1, of
#define COALESCE_BEGINS___BFLOAT162_TO_UI(of) , 1, of
#define COALESCE_SECOND(...) COALESCE_SECOND_OF(__VA_ARGS__)
#define COALESCE_SECOND_OF(first, second, ...) second
#define COALESCE_CHOSEN(number, on_device, on_host) COALESCE_CHOSEN_BY(number, on_device, on_host)
#define COALESCE_CHOSEN_BY(number, on_device, on_host) COALESCE_WAY_##number(on_device, on_host)
#define COALESCE_WAY_0(on_device, on_host) on_host
#define COALESCE_WAY_1(on_device, on_host) on_device

// SPDX-License-Identifier: BSL-1.0
#pragma once
// What programs take of the header of that name in NVIDIA's CUDA Samples. Times are 0.

struct StopWatchInterface {};
inline bool sdkCreateTimer(StopWatchInterface** timer) { return *timer = nullptr, true; }
inline bool sdkDeleteTimer(StopWatchInterface**) { return true; }
inline bool sdkStartTimer(StopWatchInterface**) { return true; }
inline bool sdkStopTimer(StopWatchInterface**) { return true; }
inline bool sdkResetTimer(StopWatchInterface**) { return true; }
inline float sdkGetTimerValue(StopWatchInterface**) { return 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface**) { return 0; }

# SPDX-License-Identifier: BSL-1.0
# cmake -D from=FOLDER -D to=FOLDER -P doctor.cmake: a copy of the tables, in which a thing of each kind is wrong.
function(doctor file)
  file(READ ${from}/${file} text)
  while(ARGN)
    list(POP_FRONT ARGN old new)
    string(REPLACE "${old}" "${new}" doctored "${text}")
    if(doctored STREQUAL text)
      message(FATAL_ERROR "${file} does not have: ${old}")
    endif()
    set(text "${doctored}")
  endwhile()
  file(WRITE ${to}/${file} "${text}")
endfunction()
doctor(measured.csv
  "shared_load<128>,16ull * l,,rounds,4,0" "shared_load<128>,16ull * l,,rounds,5,0"  # forum-0001: a counter
  "tag_wavefronts_at_least,5.1,0.05" "tag_wavefronts_at_least,2.1,0.05"              # gpu-benches-0005: a bound
  ",,clocks,9.2,0.184" ",,clocks,1.2,0.184"                                          # gpu-benches-0003: cycles, so a bound
  "1.1172,0.0893757" "1,0.0893757"                                                   # perftest-0046: known to differ
  "4ull * l,,clocks_per_dword_linear,1.0365" "4ull * l,,clocks_per_dword_linear,2"   # perftest-0029: a ratio
  "load<128>,16ull * l,,requests" "load<128>,16ull * l,,sectors")                    # nvidia-search-0072: no number of the library
doctor(measured_orderings.csv "512ull * l,,rounds,6798.651" "512ull * l,,rounds,67.98651")  # ord-0008
doctor(measured_lane_pairs.txt "ds_read_b96\n.111" "ds_read_b96\n.011")
doctor(machines.csv)
doctor(silent.csv "gfx90a,,clocks" "gfx90a,,ticks")
doctor(known.csv)

# SPDX-License-Identifier: BSL-1.0
# What a target that links coalesce::coalesce is compiled as: C++20. Read by our CMakeLists.txt, by find_package and by Conan's
# generators, whose targets would not say it.
set(coalesce_target coalesce::coalesce)
get_target_property(coalesce_aliased coalesce::coalesce ALIASED_TARGET)
if(coalesce_aliased)
  set(coalesce_target ${coalesce_aliased})
endif()
target_compile_features(${coalesce_target} INTERFACE cxx_std_20)
# So are its .cu and .hip files, where the project enables these languages, whatever CMAKE_CUDA_STANDARD says.
target_compile_features(${coalesce_target} INTERFACE $<BUILD_INTERFACE:$<$<BOOL:$<HIP_COMPILER_ID>>:hip_std_20>>)
if(CMAKE_VERSION VERSION_LESS 3.25.2)
  # It knows no C++20 of nvcc. Where a standard is required it passes -std=c++17 behind these options, and nvcc takes the last -std of
  # its own, but its parts take the last that they get: the front ends -Xcudafe's, the host's compiler -Xcompiler's.
  set_property(TARGET ${coalesce_target} APPEND PROPERTY
    INTERFACE_COMPILE_OPTIONS "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcudafe=--c++20;-Xcompiler=-std=c++20>>")
  # CMAKE_CUDA_STANDARD_REQUIRED alone requires this target's C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20 CACHE INTERNAL "")
else()
  target_compile_features(${coalesce_target} INTERFACE $<BUILD_INTERFACE:$<$<BOOL:$<CUDA_COMPILER_ID>>:cuda_std_20>>)
endif()
unset(coalesce_target)
unset(coalesce_aliased)

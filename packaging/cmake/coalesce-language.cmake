# SPDX-License-Identifier: BSL-1.0
# What a target that links coalesce::coalesce is compiled as: C++20. Read by our CMakeLists.txt, by find_package and by Conan's
# generators, whose targets would not say it.
set(coalesce_target coalesce::coalesce)
get_target_property(coalesce_aliased coalesce::coalesce ALIASED_TARGET)
if(coalesce_aliased)
  set(coalesce_target ${coalesce_aliased})
endif()
target_compile_features(${coalesce_target} INTERFACE cxx_std_20)
# So are its .cu and .hip files, where the project enables these languages, whatever CMAKE_CUDA_STANDARD says. CMake before 3.25.2
# knows no C++20 of nvcc, and silently passes no flag at all. Where it passes one of its own, that stands behind ours and wins.
target_compile_features(${coalesce_target} INTERFACE $<BUILD_INTERFACE:$<$<BOOL:$<HIP_COMPILER_ID>>:hip_std_20>>)
if(CMAKE_VERSION VERSION_LESS 3.25.2)
  set_property(TARGET ${coalesce_target} APPEND PROPERTY
    INTERFACE_COMPILE_OPTIONS "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>>")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND
      (CMAKE_CUDA_STANDARD_REQUIRED OR (CMAKE_CUDA_STANDARD AND CMAKE_CUDA_STANDARD LESS 17)))
    message(WARNING "coalesce: CMake ${CMAKE_VERSION} knows no C++20 of nvcc, and with CMAKE_CUDA_STANDARD_REQUIRED, or a "
      "CMAKE_CUDA_STANDARD below 17, it compiles the .cu files that link coalesce in an older standard, or stops. Unset both, since "
      "the target passes -std=c++20 itself; or take CMake 3.25.2 or later.")
  endif()
else()
  target_compile_features(${coalesce_target} INTERFACE $<BUILD_INTERFACE:$<$<BOOL:$<CUDA_COMPILER_ID>>:cuda_std_20>>)
endif()
unset(coalesce_target)
unset(coalesce_aliased)

# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

include(CMakeDependentOption)
option(SPINDRIFT_SHARED "Build shared libraries instead of static ones" ${BUILD_SHARED_LIBS})
option(SPINDRIFT_RENDER "Build what makes pictures; needs Embree and FreeType" ON)
cmake_dependent_option(SPINDRIFT_PROGRAM "Build the program; needs CLI11" ON SPINDRIFT_RENDER OFF)
cmake_dependent_option(SPINDRIFT_TESTS "Build the tests, which are of all parts" ON SPINDRIFT_PROGRAM OFF)
set(SPINDRIFT_ISA "auto" CACHE STRING "auto: choose at run time; sse42, avx2 or avx512: build that one only")
set_property(CACHE SPINDRIFT_ISA PROPERTY STRINGS auto sse42 avx2 avx512)
set(SPINDRIFT_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")
option(SPINDRIFT_FUZZ "Build the fuzz targets of all readers, and nothing else; needs clang" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# With -fPIC the compiler expects that others replace our functions, and does not inline them, unless it is told.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_compile_options(-fno-semantic-interposition)
set(SPINDRIFT_LIBRARY_TYPE STATIC)
if(SPINDRIFT_SHARED)
  include(GNUInstallDirs)
  set(SPINDRIFT_LIBRARY_TYPE SHARED)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
  if(NOT SPINDRIFT_SANITIZE)
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,--no-undefined>)
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# x86-64 with SSE4.2 is the floor; only files named *_kernels.cpp are also built for wider machines.
# Contraction is off everywhere but in those files (docs/decisions/0003): the same bits on every path that is not hot.
add_compile_options(-msse4.2 -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Werror -fno-math-errno)
if(SPINDRIFT_SANITIZE)
  # g++ 12 sees uninitialized members of empty optionals where the sanitizers keep it from inlining.
  add_compile_options(-fsanitize=${SPINDRIFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # clang does not like loops without branches: & of truths.
  add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>)
  add_link_options(-fsanitize=${SPINDRIFT_SANITIZE})
endif()

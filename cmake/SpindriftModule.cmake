# spindrift_module(core PARAMS params.cpp SOURCES a.cpp KERNELS b_kernels.cpp LINKS spindrift_x PRIVATE TBB::tbb)
#
# One folder, one library, one namespace; who uses what is installed calls it Spindrift::core. LINKS are folders below, PRIVATE
# is what only its sources know. PARAMS are what scenes say about it: a library spindrift_core_params of their own, so that who
# reads scenes links none of what runs them; without SOURCES it is the only one. KERNELS are compiled once per instruction set,
# each time with SPINDRIFT_ISA_NAMESPACE naming the inner namespace the object defines; core/isa.h picks one at run time. Only
# what is written as fmadd is fused, so that all sets with fused products have the same bits. PORTABLE ones are compiled once
# more without what differs between makers of processors.
include(GNUInstallDirs)

function(spindrift_module name)
  cmake_parse_arguments(ARG "PORTABLE" "" "PARAMS;SOURCES;KERNELS;LINKS;PRIVATE" ${ARGN})
  if(ARG_PARAMS)
    spindrift_library(${name}_params ${ARG_PARAMS})
    target_link_libraries(spindrift_${name}_params PUBLIC spindrift_params PRIVATE fmt::fmt)
    list(APPEND ARG_LINKS spindrift_${name}_params)
  endif()
  if(ARG_SOURCES)
    spindrift_library(${name} ${ARG_SOURCES})
    target_link_libraries(spindrift_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE})
    spindrift_kernels(${name} "${ARG_KERNELS}" "${ARG_LINKS};${ARG_PRIVATE}" ${ARG_PORTABLE})
  endif()
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spindrift/${name}
    FILES_MATCHING PATTERN "*.h" PATTERN reference EXCLUDE)
endfunction()

# A library that is installed. Static ones are position independent too, so that others may put them into a shared one; both
# kinds are made of the same objects (docs/decisions/0023).
function(spindrift_library name)
  add_library(spindrift_${name} ${SPINDRIFT_LIBRARY_TYPE} ${ARGN})
  target_include_directories(spindrift_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(spindrift_${name} PUBLIC cxx_std_20)
  if(NOT SPINDRIFT_ISA STREQUAL "auto")
    target_compile_definitions(spindrift_${name} PUBLIC SPINDRIFT_PINNED_ISA=${SPINDRIFT_ISA})
  endif()
  set_target_properties(spindrift_${name} PROPERTIES
    EXPORT_NAME ${name} DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS spindrift_${name} EXPORT SpindriftTargets)
endfunction()

function(spindrift_kernels name kernels links portable)
  set(flags_sse42 -msse4.2)
  set(flags_avx2 -mavx2 -mfma -mbmi2)
  set(flags_avx512 -mavx2 -mfma -mbmi2 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=256)
  set(flags_portable ${flags_avx2} -DSPINDRIFT_PORTABLE)
  set(sets ${SPINDRIFT_ISA})
  if(SPINDRIFT_ISA STREQUAL "auto")
    set(sets sse42 avx2 avx512)
  endif()
  if(portable AND NOT SPINDRIFT_ISA STREQUAL "sse42")
    list(APPEND sets portable)
    target_compile_definitions(spindrift_${name} PRIVATE SPINDRIFT_HAS_PORTABLE)
  endif()
  foreach(isa IN LISTS sets)
    if(kernels)
      add_library(spindrift_${name}_${isa} OBJECT ${kernels})
      target_include_directories(spindrift_${name}_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/src)
      target_link_libraries(spindrift_${name}_${isa} PRIVATE ${links})
      target_compile_options(spindrift_${name}_${isa} PRIVATE ${flags_${isa}} -fno-trapping-math)
      target_compile_definitions(spindrift_${name}_${isa} PRIVATE SPINDRIFT_ISA_NAMESPACE=${isa})
      target_sources(spindrift_${name} PRIVATE $<TARGET_OBJECTS:spindrift_${name}_${isa}>)
    endif()
  endforeach()
endfunction()

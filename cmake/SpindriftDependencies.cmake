# What the library is linked with, for its build and for those who use it installed: spindrift_find_dependencies(sim stages
# render) calls spindrift_find(), a macro of who includes this, for all that these parts need. `sim` is a scene in motion and
# everything below it, `stages` are meshes and exports of caches too, `render` is what makes pictures.
macro(spindrift_find_dependencies)
  spindrift_find(TBB)
  spindrift_find(fmt)
  spindrift_find(tomlplusplus)
  spindrift_find(ZLIB)
  spindrift_find(LibZip)
  spindrift_find(muparser)
  spindrift_find(PNG)
  spindrift_find(OpenEXR)
  spindrift_find(tinyobjloader)
  spindrift_find(TinyGLTF)
  spindrift_find(BulletDouble)
  set(Spindrift_needs ${ARGN})
  if("stages" IN_LIST Spindrift_needs)
    spindrift_find(Qhull)
  endif()
  if("render" IN_LIST Spindrift_needs)
    spindrift_find(Freetype)
    spindrift_find(embree 3)
  endif()
  # Debian keeps the module that finds OpenVDB out of CMake's own folders, beside others that would hide better ones: it is
  # the last, and its folder does not stay.
  list(APPEND CMAKE_MODULE_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/OpenVDB)
  spindrift_find(OpenVDB COMPONENTS openvdb)
  list(POP_BACK CMAKE_MODULE_PATH)
endmacro()

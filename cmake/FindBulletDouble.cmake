# Finds Bullet in double precision: BulletDouble::BulletDouble. The CMake files that Debian brings name the libraries of
# single precision, which have the same headers and other numbers.
find_path(BulletDouble_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
set(BulletDouble_LIBRARIES)
set(BulletDouble_needed BulletDouble_INCLUDE_DIR)
foreach(part HACD BulletDynamics BulletCollision LinearMath)
  find_library(BulletDouble_${part} ${part}-float64)
  list(APPEND BulletDouble_LIBRARIES ${BulletDouble_${part}})
  list(APPEND BulletDouble_needed BulletDouble_${part})
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletDouble REQUIRED_VARS ${BulletDouble_needed}
  REASON_FAILURE_MESSAGE "install libbullet-dev and libbullet-extras-dev, which bring its -float64 libraries")
mark_as_advanced(${BulletDouble_needed})

if(BulletDouble_FOUND AND NOT TARGET BulletDouble::BulletDouble)
  add_library(BulletDouble::BulletDouble INTERFACE IMPORTED)
  target_include_directories(BulletDouble::BulletDouble SYSTEM INTERFACE ${BulletDouble_INCLUDE_DIR})
  target_link_libraries(BulletDouble::BulletDouble INTERFACE ${BulletDouble_LIBRARIES})
endif()

# The package that find_package(Spindrift) finds; libraries and headers are installed where they are made.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Spindrift)
configure_package_config_file(cmake/SpindriftConfig.cmake.in SpindriftConfig.cmake INSTALL_DESTINATION ${package}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(SpindriftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT SpindriftTargets NAMESPACE Spindrift:: DESTINATION ${package})
install(FILES
  ${PROJECT_BINARY_DIR}/SpindriftConfig.cmake ${PROJECT_BINARY_DIR}/SpindriftConfigVersion.cmake
  cmake/SpindriftDependencies.cmake cmake/FindBulletDouble.cmake cmake/FindLibZip.cmake DESTINATION ${package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

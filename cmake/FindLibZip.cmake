# Finds libzip: PkgConfig::libzip. The CMake files of libzip ask for command-line tools that its -dev package does not bring.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(libzip QUIET IMPORTED_TARGET libzip)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibZip REQUIRED_VARS libzip_LINK_LIBRARIES VERSION_VAR libzip_VERSION
  REASON_FAILURE_MESSAGE "install libzip-dev and pkg-config")

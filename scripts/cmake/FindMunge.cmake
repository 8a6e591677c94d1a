# Debian's libmunge-dev brings no CMake package.
find_path(MUNGE_INCLUDE_DIR munge.h)
find_library(MUNGE_LIBRARY munge)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Munge REQUIRED_VARS MUNGE_INCLUDE_DIR MUNGE_LIBRARY)
if(NOT TARGET Munge::munge)
  add_library(Munge::munge UNKNOWN IMPORTED)
  set_target_properties(Munge::munge PROPERTIES IMPORTED_LOCATION ${MUNGE_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MUNGE_INCLUDE_DIR})
endif()

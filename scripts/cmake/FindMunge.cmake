# Debian's libmunge-dev brings no CMake package. Munge::munge is for daemons; Munge::client is the static library, with
# SHA-256 of nettle beside it, so that a command loads nothing more at its start.
find_path(MUNGE_INCLUDE_DIR munge.h)
find_library(MUNGE_LIBRARY munge)
find_library(MUNGE_STATIC libmunge.a)
find_library(NETTLE_STATIC libnettle.a)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Munge REQUIRED_VARS MUNGE_INCLUDE_DIR MUNGE_LIBRARY MUNGE_STATIC NETTLE_STATIC)
if(NOT TARGET Munge::munge)
  add_library(Munge::munge UNKNOWN IMPORTED)
  set_target_properties(Munge::munge PROPERTIES IMPORTED_LOCATION ${MUNGE_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MUNGE_INCLUDE_DIR})
  add_library(Munge::client UNKNOWN IMPORTED)
  set_target_properties(Munge::client PROPERTIES IMPORTED_LOCATION ${MUNGE_STATIC} INTERFACE_INCLUDE_DIRECTORIES ${MUNGE_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${NETTLE_STATIC})
endif()

# SPDX-License-Identifier: MIT
# The CMake package: shepardConfig.cmake, its version, and a file of targets for each component.
include(CMakePackageConfigHelpers)

set(SHEPARD_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/shepard)

# Installs a library and its target, shepard::<its export name>, as a component of the package.
function(shepard_install_library target component)
  install(TARGETS ${target} EXPORT shepard_${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
  install(EXPORT shepard_${component} FILE shepard_${component}.cmake NAMESPACE shepard::
    DESTINATION ${SHEPARD_PACKAGE_DIR})
endfunction()

# Called when it is known what is built. While the major version is 0, a minor one may break.
function(shepard_install_package)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/shepardConfig.cmake.in
    ${PROJECT_BINARY_DIR}/shepardConfig.cmake INSTALL_DESTINATION ${SHEPARD_PACKAGE_DIR})
  set(compatibility SameMajorVersion)
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
  endif()
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/shepardConfigVersion.cmake
    COMPATIBILITY ${compatibility})
  install(FILES ${PROJECT_BINARY_DIR}/shepardConfig.cmake
    ${PROJECT_BINARY_DIR}/shepardConfigVersion.cmake DESTINATION ${SHEPARD_PACKAGE_DIR})
endfunction()

# SPDX-License-Identifier: MIT
# Run by cpack on the installed files of each package: adds what Debian's policy asks for, the
# copyright, the changelogs and the warnings of lintian that are meant, and compresses.

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(write_debian_changelog file)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${file} "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) "
    "unstable; urgency=medium\n\n"
    "  * Package of version ${CPACK_PACKAGE_VERSION}; its changes are in changelog.gz.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
  compress(${file})
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  string(TOUPPER ${component} upper)
  set(documents ${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(COPY ${CPACK_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${documents})
  configure_file(${CPACK_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog COPYONLY)
  compress(${documents}/changelog)
  write_debian_changelog(${documents}/changelog.Debian)
  set(overrides ${CPACK_SOURCE_DIR}/packaging/debian/overrides/${component})
  if(EXISTS ${overrides})
    configure_file(${overrides} ${root}/share/lintian/overrides/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COPYONLY)
  endif()
  if(component STREQUAL development)
    file(GLOB examples ${CPACK_SOURCE_DIR}/examples/*.c)
    file(COPY ${examples} DESTINATION ${documents}/examples)
  endif()
  file(GLOB pages ${root}/share/man/man*/*.[0-9])
  foreach(page ${pages})
    compress(${page})
  endforeach()
endforeach()

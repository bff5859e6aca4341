# SPDX-License-Identifier: MIT
# Filter of Doxygen. The first comment of a header describes the file; each line such as
# `/* ---- Points ---- */` begins a group, named after the header and the heading, until the next.
FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.h$/, "", name) }
!described && /^\/\*\*$/ { print "/** \\file"; described = 1; next }
/^\/\* ---- .* -+ \*\/$/ {
    title = $0
    gsub(/^\/\* ---- | -+ \*\/$/, "", title)
    group = name "_" tolower(title)
    gsub(/[^a-z_]/, "_", group)
    printf "%s/** \\defgroup %s %s\n * \\{ */\n", (open ? "/** \\} */ " : ""), group, title
    open = 1
    next
}
# What a comment says of a struct without members, Doxygen shows of one with members.
/^struct [a-z_]+;$/ && previous ~ /\*\/$/ { sub(/;$/, " {};") }
open && /^#ifdef __cplusplus/ { print "/** \\} */"; open = 0 }
{ print; previous = $0 }

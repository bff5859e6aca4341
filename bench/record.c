/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <math.h>

bool shepard_record_open(struct shepard_record *record, const char *file)
{
    *record = (struct shepard_record){0};
    if (!file)
        return true;
    record->file = fopen(file, "w");
    return record->file && fputs("[", record->file) >= 0;
}

bool shepard_record_close(struct shepard_record *record)
{
    if (!record->file)
        return true;
    const bool written = fputs("\n]\n", record->file) >= 0 && !ferror(record->file);
    const bool closed = fclose(record->file) == 0;
    record->file = NULL;
    return written && closed;
}

static void write_key(struct shepard_record *record, const char *key)
{
    fprintf(record->file, "%s\"%s\": ", record->members++ ? ", " : "", key);
}

static void write_number(struct shepard_record *record, double number)
{
    if (isfinite(number))
        fprintf(record->file, "%.17g", number);
    else
        fputs("null", record->file);
}

void shepard_record_begin(struct shepard_record *record, const char *name)
{
    if (!record->file)
        return;
    fputs(record->objects++ ? ",\n  {" : "\n  {", record->file);
    record->members = 0;
    shepard_record_text(record, "case", name);
}

void shepard_record_end(struct shepard_record *record)
{
    if (record->file)
        fputs("}", record->file);
}

void shepard_record_text(struct shepard_record *record, const char *key, const char *text)
{
    if (!record->file)
        return;
    write_key(record, key);
    fprintf(record->file, "\"%s\"", text);
}

void shepard_record_number(struct shepard_record *record, const char *key, double number)
{
    if (!record->file)
        return;
    write_key(record, key);
    write_number(record, number);
}

void shepard_record_numbers(struct shepard_record *record, const char *key, const double *v,
                            size_t n)
{
    if (!record->file)
        return;
    write_key(record, key);
    fputs("[", record->file);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", record->file);
        write_number(record, v[i]);
    }
    fputs("]", record->file);
}

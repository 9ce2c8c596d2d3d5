/*
 * tarscan: lists a tar archive and checks it, without unpacking anything.
 *
 *   tarscan [-q] [-m MAXBYTES] FILE
 *
 * Exit status: 0 sound, 1 suspicious entries, 2 damaged or unreadable.
 */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 512

struct tar_header {
    char name[100];
    char mode[8];
    char uid[8];
    char gid[8];
    char size[12];
    char mtime[12];
    char checksum[8];
    char type;
    char link[100];
    char magic[6];
    char version[2];
    char user[32];
    char group[32];
    char major[8];
    char minor[8];
    char prefix[155];
    char pad[12];
};

_Static_assert(sizeof(struct tar_header) == BLOCK, "a tar header is one block");

struct scan {
    FILE *file;
    const char *path;
    bool quiet;
    uint64_t max_bytes;
    uint64_t offset;
    uint64_t entries;
    uint64_t bytes;
    unsigned warnings;
    char long_name[4096];
    char long_link[4096];
};

static void warn(struct scan *scan, const char *entry, const char *what)
{
    scan->warnings++;
    fprintf(stderr, "tarscan: %s: %s: %s\n", scan->path, entry, what);
}

static bool read_block(struct scan *scan, void *block)
{
    size_t got = fread(block, 1, BLOCK, scan->file);

    if (got == BLOCK) {
        scan->offset += BLOCK;
        return true;
    }
    if (got != 0)
        fprintf(stderr, "tarscan: %s: cut off at byte %" PRIu64 "\n", scan->path, scan->offset + got);
    return false;
}

/* Numbers are octal text, or base-256 when the top bit of the first byte is set. */
static bool number(const char *field, size_t width, uint64_t *out)
{
    uint64_t value = 0;
    size_t i = 0;

    if ((unsigned char)field[0] & 0x80) {
        value = (unsigned char)field[0] & 0x3f;
        for (i = 1; i < width; i++) {
            if (value > (UINT64_MAX >> 8))
                return false;
            value = (value << 8) | (unsigned char)field[i];
        }
        *out = value;
        return true;
    }
    while (i < width && field[i] == ' ')
        i++;
    for (; i < width && field[i] != '\0' && field[i] != ' '; i++) {
        if (field[i] < '0' || field[i] > '7')
            return false;
        value = value * 8 + (uint64_t)(field[i] - '0');
    }
    *out = value;
    return true;
}

static bool checksum_ok(const struct tar_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    uint64_t stored;
    uint64_t sum = 0;
    size_t i;

    if (!number(header->checksum, sizeof(header->checksum), &stored))
        return false;
    for (i = 0; i < BLOCK; i++) {
        bool inside = i >= offsetof(struct tar_header, checksum) &&
                      i < offsetof(struct tar_header, checksum) + sizeof(header->checksum);
        sum += inside ? ' ' : bytes[i];
    }
    return sum == stored;
}

static bool all_zero(const void *block)
{
    static const char zeros[BLOCK];

    return memcmp(block, zeros, BLOCK) == 0;
}

static void full_name(const struct scan *scan, const struct tar_header *header, char *out, size_t size)
{
    if (scan->long_name[0] != '\0') {
        snprintf(out, size, "%s", scan->long_name);
        return;
    }
    if (memcmp(header->magic, "ustar", 5) == 0 && header->prefix[0] != '\0')
        snprintf(out, size, "%.155s/%.100s", header->prefix, header->name);
    else
        snprintf(out, size, "%.100s", header->name);
}

/* A path is unsafe when unpacking it could write outside the chosen directory. */
static bool escapes(const char *path)
{
    const char *part = path;

    if (path[0] == '/')
        return true;
    while (part != NULL && *part != '\0') {
        const char *slash = strchr(part, '/');
        size_t length = slash == NULL ? strlen(part) : (size_t)(slash - part);
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part = slash == NULL ? NULL : slash + 1;
    }
    return false;
}

static const char *type_name(char type)
{
    switch (type) {
    case '\0':
    case '0':
    case '7':
        return "file";
    case '1':
        return "hard link";
    case '2':
        return "symlink";
    case '3':
        return "char device";
    case '4':
        return "block device";
    case '5':
        return "directory";
    case '6':
        return "fifo";
    case 'g':
    case 'x':
        return "pax header";
    case 'K':
    case 'L':
        return "long name";
    default:
        return "unknown";
    }
}

static bool read_long(struct scan *scan, uint64_t size, char *out, size_t room)
{
    char block[BLOCK];
    uint64_t left = size;
    size_t used = 0;

    while (left > 0) {
        size_t take = left < BLOCK ? (size_t)left : BLOCK;
        if (!read_block(scan, block))
            return false;
        if (used + take < room) {
            memcpy(out + used, block, take);
            used += take;
        }
        left -= take;
    }
    out[used] = '\0';
    return true;
}

static bool skip(struct scan *scan, uint64_t size)
{
    char block[BLOCK];
    uint64_t left;

    for (left = (size + BLOCK - 1) / BLOCK; left > 0; left--) {
        if (!read_block(scan, block))
            return false;
    }
    return true;
}

static void inspect(struct scan *scan, const struct tar_header *header, const char *name, uint64_t size)
{
    uint64_t mode = 0;
    char link[4096];

    if (escapes(name))
        warn(scan, name, "would be written outside the target directory");
    if (header->type == '1' || header->type == '2') {
        snprintf(link, sizeof(link), "%.100s", header->link);
        if (escapes(scan->long_link[0] != '\0' ? scan->long_link : link))
            warn(scan, name, "links to something outside the archive");
    }
    if (header->type == '3' || header->type == '4')
        warn(scan, name, "is a device");
    if (!number(header->mode, sizeof(header->mode), &mode))
        warn(scan, name, "has no readable mode");
    else if ((mode & 06000) != 0)
        warn(scan, name, "is setuid or setgid");
    if (scan->max_bytes > 0 && scan->bytes + size > scan->max_bytes)
        warn(scan, name, "exceeds the allowed unpacked size");
    if (!scan->quiet)
        printf("%-12s %12" PRIu64 " %04" PRIo64 " %s\n", type_name(header->type), size, mode & 07777, name);
}

static int scan_archive(struct scan *scan)
{
    struct tar_header header;
    unsigned zero_blocks = 0;
    char name[4096];

    while (read_block(scan, &header)) {
        uint64_t size = 0;
        if (all_zero(&header)) {
            if (++zero_blocks == 2)
                return 0;
            continue;
        }
        zero_blocks = 0;
        if (!checksum_ok(&header)) {
            fprintf(stderr, "tarscan: %s: bad checksum at byte %" PRIu64 "\n", scan->path, scan->offset - BLOCK);
            return 2;
        }
        if (!number(header.size, sizeof(header.size), &size))
            return 2;
        if (header.type == 'L' || header.type == 'K') {
            char *into = header.type == 'L' ? scan->long_name : scan->long_link;
            if (!read_long(scan, size, into, sizeof(scan->long_name)))
                return 2;
            continue;
        }
        full_name(scan, &header, name, sizeof(name));
        if (header.type != 'x' && header.type != 'g') {
            inspect(scan, &header, name, size);
            scan->entries++;
            scan->bytes += size;
        }
        scan->long_name[0] = scan->long_link[0] = '\0';
        if (!skip(scan, size))
            return 2;
    }
    fprintf(stderr, "tarscan: %s: ends without the two closing blocks\n", scan->path);
    return 2;
}

int main(int argc, char **argv)
{
    struct scan scan = {0};
    int option;
    int status;

    while ((option = getopt(argc, argv, "qm:")) != -1) {
        if (option == 'q') {
            scan.quiet = true;
        } else if (option == 'm') {
            scan.max_bytes = strtoull(optarg, NULL, 10);
        } else {
            fprintf(stderr, "usage: tarscan [-q] [-m MAXBYTES] FILE\n");
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: tarscan [-q] [-m MAXBYTES] FILE\n");
        return 2;
    }
    scan.path = argv[optind];
    scan.file = fopen(scan.path, "rb");
    if (scan.file == NULL) {
        fprintf(stderr, "tarscan: %s: %s\n", scan.path, strerror(errno));
        return 2;
    }
    status = scan_archive(&scan);
    fclose(scan.file);
    if (!scan.quiet)
        printf("%" PRIu64 " entries, %" PRIu64 " bytes, %u warnings\n", scan.entries, scan.bytes, scan.warnings);
    return status != 0 ? status : scan.warnings > 0 ? 1 : 0;
}

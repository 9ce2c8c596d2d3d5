/*
 * Incremental parser for HTTP/1.1 requests.
 *
 * Bytes are fed as they arrive from the socket; the parser keeps its state between calls and copies
 * nothing but the request line and the headers. Bodies are handed to a callback.
 */

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REQ_MAX_LINE 8192
#define REQ_MAX_HEADERS 64
#define REQ_MAX_TOTAL (32 * 1024)

enum req_error {
    REQ_OK = 0,
    REQ_E_METHOD,
    REQ_E_TARGET,
    REQ_E_VERSION,
    REQ_E_HEADER,
    REQ_E_TOO_LARGE,
    REQ_E_LENGTH,
    REQ_E_CHUNK,
    REQ_E_AMBIGUOUS,
    REQ_E_MEMORY,
    REQ_E_ABORTED
};

enum req_state {
    ST_START,
    ST_HEADERS,
    ST_BODY,
    ST_CHUNK_SIZE,
    ST_CHUNK_DATA,
    ST_CHUNK_END,
    ST_TRAILERS,
    ST_DONE,
    ST_FAILED
};

struct req_header {
    char *name;
    char *value;
};

typedef int (*req_body_fn)(void *user, const char *data, size_t length);

struct request {
    enum req_state state;
    enum req_error error;

    char method[16];
    char *target;
    int minor_version;
    struct req_header headers[REQ_MAX_HEADERS];
    size_t header_count;

    bool has_length;
    uint64_t length;
    bool chunked;
    bool keep_alive;
    uint64_t remaining;
    size_t total;

    char line[REQ_MAX_LINE];
    size_t line_used;

    req_body_fn on_body;
    void *user;
};

static bool is_token_char(unsigned char c)
{
    if (isalnum(c))
        return true;
    return c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

static int fail(struct request *req, enum req_error error)
{
    req->state = ST_FAILED;
    req->error = error;
    return -1;
}

void request_init(struct request *req, req_body_fn on_body, void *user)
{
    memset(req, 0, sizeof(*req));
    req->state = ST_START;
    req->on_body = on_body;
    req->user = user;
}

void request_free(struct request *req)
{
    size_t i;

    free(req->target);
    for (i = 0; i < req->header_count; i++) {
        free(req->headers[i].name);
        free(req->headers[i].value);
    }
    memset(req, 0, sizeof(*req));
}

const char *request_header(const struct request *req, const char *name)
{
    size_t i;

    for (i = 0; i < req->header_count; i++) {
        if (strcasecmp(req->headers[i].name, name) == 0)
            return req->headers[i].value;
    }
    return NULL;
}

static int parse_request_line(struct request *req)
{
    char *line = req->line;
    char *space = strchr(line, ' ');
    char *target;
    char *version;
    size_t i;

    if (space == NULL || space == line || (size_t)(space - line) >= sizeof(req->method))
        return fail(req, REQ_E_METHOD);
    for (i = 0; line + i < space; i++) {
        if (!is_token_char((unsigned char)line[i]))
            return fail(req, REQ_E_METHOD);
    }
    memcpy(req->method, line, (size_t)(space - line));

    target = space + 1;
    version = strchr(target, ' ');
    if (version == NULL || version == target)
        return fail(req, REQ_E_TARGET);
    *version++ = '\0';
    if (target[0] != '/' && strcmp(target, "*") != 0 && strncmp(target, "http://", 7) != 0)
        return fail(req, REQ_E_TARGET);
    for (i = 0; target[i] != '\0'; i++) {
        if ((unsigned char)target[i] <= 0x20 || target[i] == 0x7f)
            return fail(req, REQ_E_TARGET);
    }

    if (strncmp(version, "HTTP/1.", 7) != 0 || (version[7] != '0' && version[7] != '1') || version[8] != '\0')
        return fail(req, REQ_E_VERSION);
    req->minor_version = version[7] - '0';
    req->keep_alive = req->minor_version == 1;

    req->target = strdup(target);
    if (req->target == NULL)
        return fail(req, REQ_E_MEMORY);
    return 0;
}

static int parse_length(struct request *req, const char *text)
{
    uint64_t value = 0;
    const char *p;

    if (*text == '\0')
        return fail(req, REQ_E_LENGTH);
    for (p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9')
            return fail(req, REQ_E_LENGTH);
        if (value > (UINT64_MAX - 9) / 10)
            return fail(req, REQ_E_LENGTH);
        value = value * 10 + (uint64_t)(*p - '0');
    }
    /* Two different lengths are how one request is smuggled inside another. */
    if (req->has_length && req->length != value)
        return fail(req, REQ_E_AMBIGUOUS);
    req->has_length = true;
    req->length = value;
    return 0;
}

static int parse_header_line(struct request *req)
{
    char *colon = strchr(req->line, ':');
    char *value;
    char *end;
    char *p;
    struct req_header *header;

    /* Folded lines were dropped from the standard in 2014; nobody sane sends them. */
    if (req->line[0] == ' ' || req->line[0] == '\t')
        return fail(req, REQ_E_HEADER);
    if (colon == NULL || colon == req->line)
        return fail(req, REQ_E_HEADER);
    for (p = req->line; p < colon; p++) {
        if (!is_token_char((unsigned char)*p))
            return fail(req, REQ_E_HEADER);
    }
    if (req->header_count == REQ_MAX_HEADERS)
        return fail(req, REQ_E_TOO_LARGE);

    *colon = '\0';
    value = colon + 1;
    while (*value == ' ' || *value == '\t')
        value++;
    end = value + strlen(value);
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';

    header = &req->headers[req->header_count];
    header->name = strdup(req->line);
    header->value = strdup(value);
    req->header_count++;
    if (header->name == NULL || header->value == NULL)
        return fail(req, REQ_E_MEMORY);

    if (strcasecmp(header->name, "content-length") == 0)
        return parse_length(req, header->value);
    if (strcasecmp(header->name, "transfer-encoding") == 0) {
        if (strcasecmp(header->value, "chunked") != 0)
            return fail(req, REQ_E_HEADER);
        req->chunked = true;
    } else if (strcasecmp(header->name, "connection") == 0) {
        if (strcasecmp(header->value, "close") == 0)
            req->keep_alive = false;
        else if (strcasecmp(header->value, "keep-alive") == 0)
            req->keep_alive = true;
    }
    return 0;
}

static int headers_complete(struct request *req)
{
    if (req->chunked && req->has_length)
        return fail(req, REQ_E_AMBIGUOUS);
    if (req->minor_version == 1 && request_header(req, "host") == NULL)
        return fail(req, REQ_E_HEADER);
    if (req->chunked) {
        req->state = ST_CHUNK_SIZE;
    } else if (req->has_length && req->length > 0) {
        req->remaining = req->length;
        req->state = ST_BODY;
    } else {
        req->state = ST_DONE;
    }
    return 0;
}

static int parse_chunk_size(struct request *req)
{
    uint64_t size = 0;
    const char *p = req->line;

    if (!isxdigit((unsigned char)*p))
        return fail(req, REQ_E_CHUNK);
    for (; isxdigit((unsigned char)*p); p++) {
        if (size > (UINT64_MAX >> 4))
            return fail(req, REQ_E_CHUNK);
        size = (size << 4) | (uint64_t)(isdigit((unsigned char)*p) ? *p - '0' : (tolower((unsigned char)*p) - 'a' + 10));
    }
    if (*p != '\0' && *p != ';')
        return fail(req, REQ_E_CHUNK);
    req->remaining = size;
    req->state = size == 0 ? ST_TRAILERS : ST_CHUNK_DATA;
    return 0;
}

static int line_complete(struct request *req)
{
    req->line[req->line_used] = '\0';
    if (memchr(req->line, '\0', req->line_used) != NULL)
        return fail(req, REQ_E_HEADER);

    switch (req->state) {
    case ST_START:
        if (req->line_used == 0)
            return 0; /* blank lines before a request are forgiven */
        if (parse_request_line(req) != 0)
            return -1;
        req->state = ST_HEADERS;
        return 0;
    case ST_HEADERS:
        return req->line_used == 0 ? headers_complete(req) : parse_header_line(req);
    case ST_CHUNK_SIZE:
        return parse_chunk_size(req);
    case ST_CHUNK_END:
        if (req->line_used != 0)
            return fail(req, REQ_E_CHUNK);
        req->state = ST_CHUNK_SIZE;
        return 0;
    case ST_TRAILERS:
        if (req->line_used == 0)
            req->state = ST_DONE;
        return 0;
    default:
        return fail(req, REQ_E_HEADER);
    }
}

static size_t take_body(struct request *req, const char *data, size_t length)
{
    size_t take = length < req->remaining ? length : (size_t)req->remaining;

    if (req->on_body != NULL && req->on_body(req->user, data, take) != 0) {
        fail(req, REQ_E_ABORTED);
        return take;
    }
    req->remaining -= take;
    if (req->remaining == 0)
        req->state = req->state == ST_BODY ? ST_DONE : ST_CHUNK_END;
    return take;
}

/* Returns the number of bytes used; fewer than given once the request is complete or wrong. */
size_t request_feed(struct request *req, const char *data, size_t length)
{
    size_t used = 0;

    while (used < length && req->state != ST_DONE && req->state != ST_FAILED) {
        if (req->state == ST_BODY || req->state == ST_CHUNK_DATA) {
            used += take_body(req, data + used, length - used);
            continue;
        }
        char c = data[used++];
        if (++req->total > REQ_MAX_TOTAL) {
            fail(req, REQ_E_TOO_LARGE);
            break;
        }
        if (c == '\n') {
            if (req->line_used > 0 && req->line[req->line_used - 1] == '\r')
                req->line_used--;
            line_complete(req);
            req->line_used = 0;
            continue;
        }
        if (req->line_used == REQ_MAX_LINE - 1) {
            fail(req, REQ_E_TOO_LARGE);
            break;
        }
        req->line[req->line_used++] = c;
    }
    return used;
}

int request_status_for(enum req_error error)
{
    switch (error) {
    case REQ_OK:
        return 200;
    case REQ_E_TOO_LARGE:
        return 431;
    case REQ_E_VERSION:
        return 505;
    case REQ_E_MEMORY:
        return 503;
    default:
        return 400;
    }
}

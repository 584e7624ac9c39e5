// Sends one request repeatedly over kept-alive connections. Each connection sends the next request when it has its answer.
//
//   load-client PORT CONNECTIONS CALLS SECONDS < request
//
// Ends after CALLS calls or SECONDS seconds; 0 means no limit. A run of # in the request is replaced by the number of the call with as
// many digits. Prints the number of calls, the total milliseconds, the 50th and 99th percentile and the maximum in microseconds, and
// the bytes of the last answer.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { mostRequest = 1 << 20, mostAnswer = 1 << 20, mostCalls = 1 << 24 };

typedef struct {
  int socket;
  double sentAt;
  size_t sent, got;
  char *request, *answer;
} Line;

static char template[mostRequest];
static size_t size, mark, digits;
static unsigned *took;
static long calls, begun, lastBytes;

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e6 + at.tv_nsec / 1e3;
}

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

// Returns the length of the answer that these bytes begin, or 0 while it is not known.
static size_t lengthOf(const char *answer, size_t got) {
  const char *end = memmem(answer, got, "\r\n\r\n", 4);
  if (end == NULL) return 0;
  if (got < 12 || memcmp(answer + 8, " 20", 3) != 0) {
    fprintf(stderr, "%.*s\n", (int)(end - answer), answer);
    fail("an answer that is no success");
  }
  size_t head = end - answer + 4;
  for (const char *line = answer; line < end; line = (char *)memmem(line, end + 2 - line, "\r\n", 2) + 2) {
    if (strncasecmp(line, "content-length:", 15) == 0) return head + strtoul(line + 15, NULL, 10);
    if (strncasecmp(line, "transfer-encoding:", 18) == 0)
      return got > head + 4 && memcmp(answer + got - 5, "0\r\n\r\n", 5) == 0 ? got : 0;
  }
  return head;
}

static void flush(Line *line) {
  while (line->sent < size) {
    ssize_t wrote = write(line->socket, line->request + line->sent, size - line->sent);
    if (wrote < 0 && errno == EAGAIN) return;
    if (wrote <= 0) fail("cannot write");
    line->sent += wrote;
  }
}

static void ask(Line *line) {
  if (digits > 0) {
    char number[32];
    snprintf(number, sizeof number, "%0*ld", (int)digits, begun);
    memcpy(line->request + mark, number, digits);
  }
  begun += 1;
  line->sent = line->got = 0;
  line->sentAt = now();
  flush(line);
}

// Reads what has arrived. Returns 1 when the answer is complete.
static int take(Line *line) {
  ssize_t got = read(line->socket, line->answer + line->got, mostAnswer - line->got);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) fail("the server hung up");
  line->got += got;
  size_t whole = lengthOf(line->answer, line->got);
  if (whole == 0 || line->got < whole) return 0;
  lastBytes = line->got;
  if (calls < mostCalls) took[calls] = now() - line->sentAt;
  calls += 1;
  return 1;
}

static int bySize(const void *a, const void *b) {
  unsigned x = *(unsigned *)a, y = *(unsigned *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  if (count != 5) fail("load-client PORT CONNECTIONS CALLS SECONDS < request");
  int connections = atoi(words[2]);
  long most = atol(words[3]);
  double seconds = atof(words[4]);
  size = fread(template, 1, sizeof template, stdin);
  char *found = memchr(template, '#', size);
  if (found != NULL) for (mark = found - template; template[mark + digits] == '#';) digits += 1;
  took = calloc(mostCalls, sizeof *took);
  int poll = epoll_create1(0);
  struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1])), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  Line *lines = calloc(connections, sizeof *lines);
  for (int at = 0; at < connections; at += 1) {
    Line *line = &lines[at];
    line->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line->socket, (struct sockaddr *)&where, sizeof where) != 0) fail("cannot connect");
    int flags = 1;
    setsockopt(line->socket, IPPROTO_TCP, TCP_NODELAY, &flags, sizeof flags);
    fcntl(line->socket, F_SETFL, O_NONBLOCK);
    line->request = memcpy(malloc(size), template, size);
    line->answer = malloc(mostAnswer);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = line};
    epoll_ctl(poll, EPOLL_CTL_ADD, line->socket, &event);
  }
  double start = now(), until = start + seconds * 1e6;
  long open = 0;
  for (int at = 0; at < connections && (most == 0 || begun < most); at += 1, open += 1) ask(&lines[at]);
  while (open > 0) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, 10000);
    if (ready == 0) fail("no answer within ten seconds");
    for (int at = 0; at < ready; at += 1) {
      Line *line = events[at].data.ptr;
      if (events[at].events & EPOLLOUT) flush(line);
      if (!(events[at].events & EPOLLIN) || line->sent < size || !take(line)) continue;
      if ((most > 0 && begun >= most) || (seconds > 0 && now() > until)) open -= 1;
      else ask(line);
    }
  }
  double all = (now() - start) / 1000;
  long kept = calls < mostCalls ? calls : mostCalls;
  qsort(took, kept, sizeof *took, bySize);
  printf("%ld %.3f %u %u %u %ld\n", calls, all, took[kept / 2], took[kept * 99 / 100], took[kept - 1], lastBytes);
}

/*
 * A client that only reads. `drain PORT` connects, sends the request head from standard input, and reads until the announced length,
 * or until the last chunk when no length is announced (the request should contain `Connection: close`). `drain -` reads standard
 * input. Prints the bytes, the milliseconds, and the milliseconds to the first byte of the body.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
static struct timespec start;

static double passed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start.tv_sec) * 1e3 + (now.tv_nsec - start.tv_nsec) / 1e6;
}

static int report(long long bytes, double first, int whole) {
  printf("%lld %.3f %.3f\n", bytes, passed(), first);
  return whole ? 0 : 1;
}

static int take_input(void) {
  long long bytes = 0;
  double first = 0;
  for (ssize_t got; (got = read(0, buffer, sizeof buffer)) > 0; bytes += got)
    if (bytes == 0) first = passed();
  return report(bytes, first, bytes > 0);
}

/* Keeps the last five bytes, which tell whether a chunked body has ended. */
static char tail[5];
static void remember(const char *bytes, size_t count) {
  if (count >= sizeof tail) memcpy(tail, bytes + count - sizeof tail, sizeof tail);
  else {
    memmove(tail, tail + count, sizeof tail - count);
    memcpy(tail + sizeof tail - count, bytes, count);
  }
}

int main(int count, char **words) {
  if (count < 2) return 2;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (words[1][0] == '-') return take_input();
  static char head[1 << 16];
  ssize_t length = read(0, head, sizeof head);
  struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[1]))};
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  clock_gettime(CLOCK_MONOTONIC, &start);
  int line = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(line, (struct sockaddr *)&where, sizeof where) != 0) return 1;
  if (write(line, head, (size_t)length) != length) return 1;
  long long body = -1, announced = -1;
  double first = 0;
  size_t kept = 0;
  for (;;) {
    ssize_t got = read(line, buffer + kept, sizeof buffer - kept);
    if (got <= 0) break;
    if (body < 0) {
      kept += (size_t)got;
      char *split = memmem(buffer, kept, "\r\n\r\n", 4);
      if (!split) continue;
      if (memcmp(buffer + 9, "200", 3) != 0) return 1;
      char *field = strcasestr(buffer, "content-length:");
      announced = field && field < split ? atoll(field + 15) : -1;
      body = (long long)kept - (split + 4 - buffer);
      remember(split + 4, (size_t)body);
      kept = 0;
    } else {
      body += got;
      remember(buffer, (size_t)got);
    }
    if (first == 0 && body > 0) first = passed();
    if (announced >= 0 && body >= announced) break;
  }
  int whole = announced >= 0 ? body == announced : memcmp(tail, "0\r\n\r\n", sizeof tail) == 0;
  close(line);
  return report(body, first, whole);
}

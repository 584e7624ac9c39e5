/* A client that only takes bytes: connects, sends the head given on standard input, reads to the announced end. Prints bytes and milliseconds. */
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

int main(int count, char **words) {
  if (count < 2) return 2;
  static char head[1 << 16];
  ssize_t length = read(0, head, sizeof head);
  struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[1]))};
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int line = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(line, (struct sockaddr *)&where, sizeof where) != 0) return 1;
  if (write(line, head, (size_t)length) != length) return 1;
  long long body = -1, announced = -1;
  size_t kept = 0;
  for (;;) {
    ssize_t got = read(line, buffer + kept, sizeof buffer - kept);
    if (got <= 0) break;
    if (body < 0) {
      kept += (size_t)got;
      char *split = memmem(buffer, kept, "\r\n\r\n", 4);
      if (!split) continue;
      char *field = strcasestr(buffer, "content-length:");
      announced = field && field < split ? atoll(field + 15) : -1;
      body = (long long)kept - (split + 4 - buffer);
      kept = 0;
    } else body += got;
    if (announced >= 0 && body >= announced) break;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  close(line);
  printf("%lld %.3f\n", body, (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
  return body == announced ? 0 : 1;
}

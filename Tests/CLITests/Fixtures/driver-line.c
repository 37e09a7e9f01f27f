/*
 * A driver for card readers that leaves every response to the test: each line that it receives is sent to the test's own
 * service by HTTP, and the response is written back, line by line. When the service closes the connection, the driver exits.
 *
 *     driver-line PORT
 *
 * MODEL_PROCESS  which process of which world the driver belongs to, such as "12.3"
 *
 * It is linked statically, so that libraries preloaded for the program do not affect it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **words) {
    const char *process = getenv("MODEL_PROCESS");
    struct sockaddr_in address = {.sin_family = AF_INET};
    char *line = NULL;
    size_t room = 0;
    if (count != 2 || process == NULL) return 64;
    address.sin_port = htons((unsigned short)atoi(words[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) return 69;
    FILE *answers = fdopen(connection, "r");
    if (answers == NULL) return 69;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        if (dprintf(connection, "POST /driver HTTP/1.1\r\nX-Model-Process: %s\r\nContent-Length: %zd\r\n\r\n", process, length) < 0
            || write(connection, line, (size_t)length) != length)
            return 1;
        size_t rest = 0;
        int is_head = 1;
        while (is_head) {
            if (getline(&line, &room, answers) <= 0) return 1;
            sscanf(line, "Content-Length: %zu", &rest);
            is_head = line[0] != '\r';
        }
        char *body = malloc(rest + 1);
        if (body == NULL || fread(body, 1, rest, answers) != rest || write(STDOUT_FILENO, body, rest) != (ssize_t)rest) return 1;
        free(body);
    }
    return 0;
}

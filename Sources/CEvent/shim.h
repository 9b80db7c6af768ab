// Debian: libevent-dev.
// The system's headers first: event-config.h asks for all extensions, with which fd_set would be another than in Swift's Glibc.
#include <sys/select.h>
#include <sys/time.h>
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

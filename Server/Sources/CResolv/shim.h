// The system's DNS resolver (resolv.h). Its state is a large struct, and its parser has macros: Swift takes
// neither.
#ifndef GATEHOUSE_CRESOLV_SHIM_H
#define GATEHOUSE_CRESOLV_SHIM_H

// clang-format off: nameser.h needs the types, resolv.h needs both.
#include <sys/types.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

// Asks for the records of a type. `server` is the IPv4 address of a name server, or NULL for those of the
// system. Returns the length of the answer, or -1; `fault` is then as h_errno.
static inline int gatehouse_dns_ask(
    const char *name, int type, const char *server, int port, unsigned char *answer, int capacity,
    int *fault) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  *fault = NO_RECOVERY;
  if (res_ninit(&state) != 0) return -1;
  if (server != NULL) {
    memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
    state.nsaddr_list[0].sin_family = AF_INET;
    state.nsaddr_list[0].sin_port = htons((unsigned short)port);
    if (inet_pton(AF_INET, server, &state.nsaddr_list[0].sin_addr) != 1) {
      res_nclose(&state);
      return -1;
    }
    state.nscount = 1;
  }
  state.retrans = 3;
  state.retry = 2;
  int length = res_nquery(&state, name, ns_c_in, type, answer, capacity);
  if (length < 0) *fault = state.res_h_errno;
  res_nclose(&state);
  return length > capacity ? capacity : length;
}

// The data of the record at an index of the answer section: a copy, with a compressed name (MX) written out
// behind its two bytes. Returns its length, -1 if there is no such record, -2 if it has another type.
static inline int gatehouse_dns_record(
    const unsigned char *answer, int length, int index, int type, unsigned char *data,
    int capacity) {
  ns_msg message;
  ns_rr record;
  if (ns_initparse(answer, length, &message) != 0) return -1;
  if (index >= ns_msg_count(message, ns_s_an)) return -1;
  if (ns_parserr(&message, ns_s_an, index, &record) != 0) return -1;
  if ((int)ns_rr_type(record) != type) return -2;
  if (type != ns_t_mx) {
    if (ns_rr_rdlen(record) > capacity) return -2;
    memcpy(data, ns_rr_rdata(record), ns_rr_rdlen(record));
    return ns_rr_rdlen(record);
  }
  if (ns_rr_rdlen(record) < 3 || capacity < 2 + NS_MAXDNAME) return -2;
  memcpy(data, ns_rr_rdata(record), 2);
  if (ns_name_uncompress(
          ns_msg_base(message), ns_msg_end(message), ns_rr_rdata(record) + 2, (char *)data + 2,
          NS_MAXDNAME) < 0)
    return -2;
  return 2 + (int)strlen((char *)data + 2);
}

#endif

#include "CTracing.h"

#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int ctracing_attach(int process) {
  if (ptrace(PTRACE_ATTACH, process, NULL, NULL) < 0) return -1;
  return waitpid(process, NULL, __WALL) == process ? 0 : -1;
}

int ctracing_step(int process) {
  int status = 0;
  if (ptrace(PTRACE_SINGLESTEP, process, NULL, NULL) < 0) return -1;
  if (waitpid(process, &status, __WALL) != process) return -1;
  return WIFSTOPPED(status) ? 0 : -1;
}

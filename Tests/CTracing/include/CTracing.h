// ptrace is variadic, so Swift cannot call it.
#ifndef CTRACING_H
#define CTRACING_H

// Stops a process; 0, or -1 where that is not allowed.
int ctracing_attach(int process);

// Lets it execute one instruction; 0, or -1 if it has ended.
int ctracing_step(int process);

#endif

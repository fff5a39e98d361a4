/** The process ended by an error that nobody expected. */
export const CRASH_EXIT_CODE = 1
/** The disk failed under a write, so nothing may be acknowledged any more (EX_SOFTWARE of sysexits.h). */
export const FATAL_EXIT_CODE = 70
/** Ctrl-C, as shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED_EXIT_CODE = 130

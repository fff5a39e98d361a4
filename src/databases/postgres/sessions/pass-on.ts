/**
 * Makes the extension pass on to other servers what a transaction sets: its company and its limits. Where the extension
 * is not there, the setting is taken and means nothing.
 */
export const PASS_ON = "citus.propagate_set_commands = 'local'"

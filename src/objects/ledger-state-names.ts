// Apart from their parameters, because the command line needs the names alone.

/** States of ledger transactions (specification, object endpoints). */
export const STATES = ['registered', 'posted', 'historical'] as const

/** States of ledger transactions (specification, object endpoints). */
export const STATES = ['registered', 'posted', 'historical'] as const

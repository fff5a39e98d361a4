import type { Store } from '../../store/store.ts'

/** What the log is read from. */
export type LogSource = Pick<Store, 'reading' | 'collect'>

import { lazy } from 'react'

/** Loaded when it is shown. A plot that cannot be loaded is missing, and no more: the table beside it says the same. */
export const Plot = lazy(() => import('./plot.tsx').catch(() => ({ default: () => <></> })))

/** As high as a plot, which takes its place. */
export const PLOT_SPACE = <div style={{ height: 232 }} />

import type { ReactNode } from 'react'
import classes from './unseen.module.css'

/** For who listens to the page: what others see of where it stands. */
export const Unseen = ({ children }: { readonly children: ReactNode }) => (
  <span className={classes.unseen}>{children}</span>
)

import classes from './import.module.css'

/** From 0 to 1. */
export function Progress({ value, text }: { readonly value: number; readonly text: string }) {
  return (
    <label className={classes.progress}>
      {text}
      <progress value={value} max={1} />
    </label>
  )
}

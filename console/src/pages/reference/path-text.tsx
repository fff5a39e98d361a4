// The path of an operation, which breaks before its slashes and not within a word.
import classes from './reference.module.css'

/** Longer ones break anywhere, where there is little room. */
const LONGEST_WHOLE = 30

export function PathText({ path }: { readonly path: string }) {
  return path.split(/(?=\/)/).map((segment, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have a place and nothing else
    <span key={at}>
      <wbr />
      <span className={segment.length <= LONGEST_WHOLE ? classes.whole : undefined}>{segment}</span>
    </span>
  ))
}

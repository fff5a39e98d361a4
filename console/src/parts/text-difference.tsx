// Two states of a long text, line by line: what went, what came, and a little of what stands around it.
import { useMemo } from 'react'
import { type DifferenceLine, linesOf } from './line-difference.ts'
import { withLineFeeds } from './line-ends.ts'
import { shownText } from './shown-text.tsx'
import classes from './text-difference.module.css'

interface TextDifferenceProps {
  readonly before: string
  readonly after: string
}

export default function TextDifference({ before, after }: TextDifferenceProps) {
  const lines = useMemo(() => linesOf(withLineFeeds(before), withLineFeeds(after)), [before, after])
  return (
    <div className={classes.lines}>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have a place and nothing else
        <Line key={place} line={line} />
      ))}
    </div>
  )
}

function Line({ line: { kind, text } }: { readonly line: DifferenceLine }) {
  const shown = <bdi>{shownText(text) || ' '}</bdi>
  if (kind === 'gone') return <del className={classes.gone}>{shown}</del>
  if (kind === 'new') return <ins className={classes.added}>{shown}</ins>
  if (kind === 'same') return <span className={classes.same}>{shown}</span>
  return <span className={classes.skipped}>{text}</span>
}

import { type ChangeObject, diffLines } from 'diff'
import { t } from '../words/words.ts'

export interface DifferenceLine {
  readonly kind: 'gone' | 'new' | 'same' | 'skipped'
  readonly text: string
}

/** Lines that are shown before and after each change. */
const AROUND = 2
/** Texts that have less in common are shown as one that went and one that came. */
const MOST_EDITS = 500

export function linesOf(before: string, after: string): DifferenceLine[] {
  const parts = diffLines(before, after, { maxEditLength: MOST_EDITS }) ?? [
    { value: before, removed: true },
    { value: after, added: true },
  ]
  return parts.flatMap((part, place) => {
    const lines = part.value.replace(/\n$/, '').split('\n')
    const kind = kindOf(part)
    if (kind !== 'same') return lines.map((text) => ({ kind, text }))
    return shortened(lines, place === 0, place === parts.length - 1)
  })
}

function kindOf({ added, removed }: Partial<ChangeObject<string>>): 'gone' | 'new' | 'same' {
  if (removed) return 'gone'
  return added ? 'new' : 'same'
}

/** Lines that have not changed are shown where they stand beside a change. */
function shortened(lines: readonly string[], isFirst: boolean, isLast: boolean): DifferenceLine[] {
  const head = isFirst ? 0 : AROUND
  const tail = isLast ? 0 : AROUND
  const same = (part: readonly string[]) => part.map((text): DifferenceLine => ({ kind: 'same', text }))
  const skipped = lines.length - head - tail
  if (skipped <= 1) return same(lines)
  const note: DifferenceLine = { kind: 'skipped', text: t('… {{count}} lines as they were', { count: skipped }) }
  return [...same(lines.slice(0, head)), note, ...same(lines.slice(lines.length - tail))]
}

import { shownText } from '../../parts/shown-text.tsx'
import { useAttributeTitle } from '../../service/dimensions.ts'
import classes from './record.module.css'
import { type Relation, type RelationGraph, targetOf, valueKey } from './relation-graph.ts'

const WIDTH = 480
const LINE_HEIGHT = 26
const BOX_HEIGHT = 20
const BOX_WIDTH = 132
/** The left edge of the boxes of each step. */
const COLUMNS = [2, 174, 346] as const
const MOST_LETTERS = 20

/** Boxes and lines. The links beside it say the same in words. */
export function RelationPicture({ graph, from }: { readonly graph: RelationGraph; readonly from: string }) {
  const titleOf = useAttributeTitle()
  const textOf = (step: Relation) => `${titleOf(step)} ${step.relationValue}`
  const first = boxesOf(graph.first, textOf)
  const second = boxesOf(graph.second, textOf)
  const height = Math.max(first.size, second.size, 1) * LINE_HEIGHT
  const placeOf = (boxes: ReadonlyMap<string, string>, key: string) =>
    (([...boxes.keys()].indexOf(key) + 0.5) * height) / boxes.size
  const middle = height / 2
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {[...first.keys()].map((key) => (
        <line key={key} x1={COLUMNS[0] + BOX_WIDTH} y1={middle} x2={COLUMNS[1]} y2={placeOf(first, key)} />
      ))}
      {graph.second.map((step, place) => (
        <line
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no state
          key={place}
          x1={COLUMNS[1] + BOX_WIDTH}
          y1={placeOf(first, valueKey(step))}
          x2={COLUMNS[2]}
          y2={placeOf(second, valueKey(targetOf(step)))}
        />
      ))}
      <Box x={COLUMNS[0]} y={middle} text={from} />
      {[...first].map(([key, text]) => (
        <Box key={key} x={COLUMNS[1]} y={placeOf(first, key)} text={text} />
      ))}
      {[...second].map(([key, text]) => (
        <Box key={key} x={COLUMNS[2]} y={placeOf(second, key)} text={text} />
      ))}
    </svg>
  )
}

/** One box for each value that is led to, with its text. */
function boxesOf(steps: readonly Relation[], textOf: (step: Relation) => string): Map<string, string> {
  return new Map(steps.map((step) => [valueKey(targetOf(step)), textOf(step)]))
}

function Box({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }) {
  const shown = shownText(text)
  return (
    <g>
      <rect x={x} y={y - BOX_HEIGHT / 2} width={BOX_WIDTH} height={BOX_HEIGHT} rx={4} />
      <text x={x + 7} y={y + 4}>
        {shown.length > MOST_LETTERS ? `${shown.slice(0, MOST_LETTERS - 1)}…` : shown}
      </text>
    </g>
  )
}

// Bars for numbers by a name. The value of a bar is told where one points, or by the arrow keys.
import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { readerLocale, t } from '../words/words.ts'
import classes from './plot.module.css'

export interface PlotPoint {
  readonly label: string
  readonly value: number
}

const HEIGHT = 220
const FONT = '12px system-ui, sans-serif'

export default function Plot({ points, label }: { readonly points: readonly PlotPoint[]; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<UPlot>(undefined)
  const [at, setAt] = useState<number>()
  useEffect(() => {
    const target = box.current
    if (!target) return
    const axis = { stroke: getComputedStyle(document.body).color, font: FONT, grid: { show: false } }
    const bars = UPlot.paths.bars?.({ size: [0.7, 48] })
    const options: UPlot.Options = {
      width: target.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { setScale: false, x: false, y: false } },
      hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? undefined)] },
      scales: {
        x: { time: false, range: [-0.6, points.length - 0.4] },
        y: { range: { min: { soft: 0, mode: 1 }, max: {} } },
      },
      axes: [
        { ...axis, values: (_plot, places) => places.map((place) => points[place]?.label ?? ''), incrs: [1, 2, 5, 10] },
        { ...axis, size: axisWidth, values: (_plot, values) => values.map(shortNumber) },
      ],
      series: [
        {},
        {
          label,
          fill: getComputedStyle(target).color,
          ...(bars ? { paths: bars } : {}),
          points: { show: false },
        },
      ],
    }
    const data: UPlot.AlignedData = [points.map((_point, place) => place), points.map(({ value }) => value)]
    let plot: UPlot
    try {
      plot = new UPlot(options, data, target)
      drawn.current = plot
    } catch {
      // The table has the same numbers.
      return
    }
    const resize = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }))
    resize.observe(target)
    return () => {
      resize.disconnect()
      plot.destroy()
      drawn.current = undefined
    }
  }, [points, label])
  const last = points.length - 1
  const pointed = at === undefined ? undefined : points[at]
  const point = (place: number) => {
    const plot = drawn.current
    const shown = Math.min(Math.max(place, 0), last)
    if (plot) plot.setCursor({ left: plot.valToPos(shown, 'x'), top: 0 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeAfter(event.key, at ?? last, last)
    if (place === undefined) return
    event.preventDefault()
    point(place)
  }
  return (
    <div className={classes.plot}>
      <div ref={box} role="img" aria-label={t('{{what}}, as bars', { what: label })} className={classes.bars} />
      <div
        className={classes.keys}
        role="slider"
        tabIndex={0}
        aria-label={t('{{what}}, value by value', { what: label })}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={valueText(points[at ?? last])}
        onFocus={() => point(at ?? last)}
        onBlur={() => drawn.current?.setCursor({ left: -10, top: -10 })}
        onKeyDown={onKeyDown}
      />
      {pointed && (
        <div className={classes.value} aria-hidden="true">
          <bdi>{pointed.label}</bdi> <strong>{numberText(pointed.value)}</strong>
        </div>
      )}
    </div>
  )
}

/** Where a key leads to; undefined for any other. */
function placeAfter(key: string, at: number, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at - 1
  return key === 'ArrowRight' || key === 'ArrowUp' ? at + 1 : undefined
}

const valueText = (point: PlotPoint | undefined): string => (point ? `${point.label}: ${numberText(point.value)}` : '')

/** Amounts have cents, and counts have none. */
function numberText(value: number): string {
  const minimumFractionDigits = Number.isInteger(value) ? 0 : 2
  return new Intl.NumberFormat(readerLocale(), { minimumFractionDigits, maximumFractionDigits: 2 }).format(value)
}

/** In pixels: languages write millions with two letters or with seven. */
const axisWidth = (_plot: UPlot, labels: readonly string[] | null): number =>
  24 + 7 * Math.max(...(labels ?? []).map(({ length }) => length), 3)

function shortNumber(value: number): string {
  return new Intl.NumberFormat(readerLocale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

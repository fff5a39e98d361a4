// Bars for numbers by a name. A table beside a plot, or behind the link there, says the same to who does not see it.
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { readerLocale, t } from '../words/words.ts'

export interface PlotPoint {
  readonly label: string
  readonly value: number
}

const HEIGHT = 220
const FONT = '12px system-ui, sans-serif'

export default function Plot({ points, label }: { readonly points: readonly PlotPoint[]; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = box.current
    if (!target) return
    const axis = { stroke: getComputedStyle(document.body).color, font: FONT, grid: { show: false } }
    const bars = UPlot.paths.bars?.({ size: [0.7, 48] })
    const options: UPlot.Options = {
      width: target.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
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
    } catch {
      // The table has the same numbers.
      return
    }
    const resize = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }))
    resize.observe(target)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [points, label])
  const name = t('{{what}}, as bars', { what: label })
  return <div ref={box} role="img" aria-label={name} style={{ color: 'var(--console-link)' }} />
}

/** In pixels: languages write millions with two letters or with seven. */
const axisWidth = (_plot: UPlot, labels: readonly string[] | null): number =>
  24 + 7 * Math.max(...(labels ?? []).map(({ length }) => length), 3)

function shortNumber(value: number): string {
  return new Intl.NumberFormat(readerLocale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

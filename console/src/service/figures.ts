// Figures of Home: how many records a filter leaves, or the sum of one of their numbers.
import type { DocumentInfo } from './metadata.ts'

export interface Figure {
  /** The title of the document where there is none. */
  readonly title?: string
  readonly document: string
  readonly filter?: string
  /** The path of what is summed; records are counted without one. */
  readonly sum?: string
  /** The path of a period or a day: the last period, or this month, beside the one before. */
  readonly by?: string
}

/** As many of the person's own, beside those of the company. */
export const MOST_FIGURES = 3

const MEMBERS = ['title', 'document', 'filter', 'sum', 'by'] as const

/** Another version of the console may have written them. */
export const figuresIn = (value: unknown): readonly Figure[] => (Array.isArray(value) ? value.filter(isFigure) : [])

function isFigure(figure: Partial<Figure> | null): figure is Figure {
  return (
    typeof figure?.document === 'string' &&
    MEMBERS.every((member) => ['string', 'undefined'].includes(typeof figure[member]))
  )
}

export const isSameFigure = (one: Figure, other: Figure): boolean =>
  MEMBERS.every((member) => one[member] === other[member])

export const titleOfFigure = ({ title }: Figure, { schema, name }: DocumentInfo): string =>
  title ?? schema.title ?? name

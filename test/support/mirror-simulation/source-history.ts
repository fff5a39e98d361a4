// What each record of the source was and when, so that what a mirror says of its age can be held against it.

interface Change {
  /** When it could be seen. */
  readonly at: number
  /** Undefined: the record was removed. */
  readonly version: number | undefined
  /** Its stamp is so much older than that, that only a look for removed records finds it. */
  readonly isLate: boolean
}

/** What a mirror says of a document: everything of this moment is here, and everything removed by then is gone. */
export interface Said {
  readonly asOf: string
  readonly sweptAt: string
}

/** Earlier ones have been held against what the mirror said then. */
const REMEMBERED = 8

export class SourceHistory {
  readonly #changes = new Map<string, Change[]>()

  note(id: string, change: Change): void {
    const changes = this.#changes.get(id) ?? []
    changes.push(change)
    if (changes.length > REMEMBERED) changes.shift()
    this.#changes.set(id, changes)
  }

  /** To be compared with later ones. */
  lastOf(id: string): unknown {
    return this.#changes.get(id)?.at(-1)
  }

  /** The records of a document that were here or there. */
  idsOf(document: string): readonly string[] {
    return [...this.#changes.keys()].filter((id) => id.startsWith(`${document} `))
  }

  /** Why what the mirror has is not what it says; undefined: it is. `here`: the version that it has. */
  brokenBy(id: string, here: number | undefined, { asOf, sweptAt }: Said): string | undefined {
    const changes = this.#changes.get(id) ?? []
    const last = changes.at(-1)
    if (here !== undefined && last?.version === undefined && last && last.at < Date.parse(sweptAt)) {
      return `was removed before ${sweptAt} and is here`
    }
    const removed = changes.findLastIndex(({ version }) => version === undefined)
    const due = changes.slice(removed + 1).filter(({ at, isLate }) => at < Date.parse(isLate ? sweptAt : asOf))
    const newest = Math.max(...due.map(({ version = 0 }) => version))
    return due.length > 0 && (here ?? -1) < newest ? `is ${here} here, and was ${newest} before ${asOf}` : undefined
  }

  /** Whether the record waits for a look for removed records. */
  isLate(id: string, { sweptAt }: Said): boolean {
    return (this.#changes.get(id) ?? []).some(({ at, isLate }) => isLate && !(at < Date.parse(sweptAt)))
  }
}

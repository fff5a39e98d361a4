/** The error codes of the interface (specification, "Errors"), listed in guides/reference/errors.md. */
export type Code = 1000 | 1010 | 1020 | 1030 | 1040 | 2030 | 3010 | 3090 | 4020 | 4023 | 4030

/** The path to a member: names and list indexes from the record down, such as `['contactPoints', 0, 'address']`. */
export type FieldPath = readonly (string | number)[]

export interface Finding {
  readonly path: FieldPath
  readonly status: 400 | 422
  readonly code: Code
  readonly message: string
  /** The value has the wrong data type or too many digits. If all findings are such, the answer omits the record. */
  readonly unreadable: boolean
}

/** Collects everything that is wrong with a request, so that one answer can report all of it. */
export class Findings {
  readonly all: Finding[] = []

  get size(): number {
    return this.all.length
  }

  add(path: string | FieldPath, code: Code, message: string, status: 400 | 422 = 422): this {
    this.all.push({ path: pathOf(path), status, code, message, unreadable: false })
    return this
  }

  /** Adds a finding about an unreadable value: status 400, and code 1010 for a wrong data type. */
  addUnreadable(path: string | FieldPath, message: string, code: Code = 1010): this {
    this.all.push({ path: pathOf(path), status: 400, code, message, unreadable: true })
    return this
  }

  /** Adds one for each path that could not be read before the record was made; whoever has read it says why. */
  addUnread(paths: readonly FieldPath[]): void {
    for (const path of paths) this.addUnreadable(path, 'Illegal value.')
  }

  /**
   * Whether there is a finding at this path or below it, or what it is in cannot be read; further rules then skip the
   * value.
   */
  has(path: string | FieldPath): boolean {
    if (this.all.length === 0) return false
    const asked = pathOf(path)
    return this.all.some(
      (finding) => isWithin(finding.path, asked) || (finding.unreadable && isWithin(asked, finding.path)),
    )
  }
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((segment, index) => path[index] === segment)
}

function pathOf(path: string | FieldPath): FieldPath {
  return typeof path === 'string' ? [path] : path
}

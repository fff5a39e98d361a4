/** The codes of the interface (specification of the service, "Errors"); each is printed in docs/errors.md. */
export type Code = 1000 | 1010 | 1020 | 1030 | 1040 | 2030 | 3010 | 3090 | 4020 | 4023 | 4030

/** Where a finding stands: member names and list indexes from the record down, such as `['contactPoints', 0, 'address']`. */
export type FieldPath = readonly (string | number)[]

export interface Finding {
  readonly path: FieldPath
  readonly status: 400 | 422
  readonly code: Code
  readonly message: string
  /** The value could not be read at all (wrong data type, too many digits): alone, such findings are answered without the record. */
  readonly unreadable: boolean
}

/** Gathers everything that is wrong with one request, so that all of it is answered together. */
export class Findings {
  readonly all: Finding[] = []

  get size(): number {
    return this.all.length
  }

  add(path: string | FieldPath, code: Code, message: string, status: 400 | 422 = 422): this {
    this.all.push({ path: pathOf(path), status, code, message, unreadable: false })
    return this
  }

  /** A value that cannot be read: 400, and code 1010 for one of the wrong data type. */
  addUnreadable(path: string | FieldPath, message: string, code: Code = 1010): this {
    this.all.push({ path: pathOf(path), status: 400, code, message, unreadable: true })
    return this
  }

  /** Whether something is already known to be wrong at this path or inside it: then no further rule looks at it. */
  has(path: string | FieldPath): boolean {
    const wanted = pathOf(path)
    return this.all.some((finding) => wanted.every((part, index) => finding.path[index] === part))
  }
}

function pathOf(path: string | FieldPath): FieldPath {
  return typeof path === 'string' ? [path] : path
}

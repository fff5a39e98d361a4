// Whether a history of one record has a serial explanation: an order in which each operation takes effect at one moment
// between its call and its return, and answers what a model of the record answers there (Wing and Gong 1993; the states
// that were tried already are remembered, as Lowe does).

/** One operation as its caller saw it. Moments are of one clock, which no two events share. */
export interface Operation<Input> {
  readonly input: Input
  readonly output: string
  readonly calledAt: number
  readonly returnedAt: number
}

/** What a record does when nobody else is there. A state is a text, so that states are equal when they look equal. */
export interface Model<Input> {
  readonly initial: string
  apply(state: string, input: Input): { readonly state: string; readonly output: string }
}

/** More than a history of a few clients has; the sets of operations are bits of a number. */
const MOST_OPERATIONS = 30

/** An order that explains the history, or nothing when there is none. */
export function explain<Input>(
  history: readonly Operation<Input>[],
  model: Model<Input>,
): readonly Operation<Input>[] | undefined {
  if (history.length > MOST_OPERATIONS) throw new Error(`a history of ${history.length} operations is too long`)
  const all = 2 ** history.length - 1
  const failed = new Set<string>()
  const order: Operation<Input>[] = []

  const search = (done: number, state: string): boolean => {
    if (done === all) return true
    const tried = `${done} ${state}`
    if (failed.has(tried)) return false
    for (const at of nextOf(history, done)) {
      const operation = history[at] as Operation<Input>
      const after = model.apply(state, operation.input)
      if (after.output !== operation.output) continue
      order.push(operation)
      if (search(done | (1 << at), after.state)) return true
      order.pop()
    }
    failed.add(tried)
    return false
  }
  return search(0, model.initial) ? order : undefined
}

/** Those of the rest that may take effect first: they were called before any other of the rest returned. */
function nextOf(history: readonly Operation<unknown>[], done: number): number[] {
  const rest = history.flatMap((_, at) => ((done >> at) & 1 ? [] : [at]))
  const firstReturn = Math.min(...rest.map((at) => history[at]?.returnedAt ?? 0))
  return rest.filter((at) => (history[at]?.calledAt ?? 0) < firstReturn)
}

/** A history as text, in the order of the calls. */
export function printed(history: readonly Operation<unknown>[]): string {
  const inOrder = [...history].sort((one, other) => one.calledAt - other.calledAt)
  return inOrder
    .map(({ input, output, calledAt, returnedAt }) => {
      return `${calledAt} to ${returnedAt}: ${JSON.stringify(input)} answered ${output}`
    })
    .join('\n')
}

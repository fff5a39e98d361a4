// Checks whether a history of one record is linearizable: an order exists in which each operation takes effect at one
// instant between its call and its return, with the result that a model of the record returns there (Wing and Gong
// 1993; visited states are cached as in Lowe 2017).

/** One operation as its caller observed it. Times come from one clock; no two events share a time. */
export interface Operation<Input> {
  readonly input: Input
  readonly output: string
  readonly calledAt: number
  readonly returnedAt: number
}

/** The sequential behaviour of a record. A state is a text, so that equal states are equal texts. */
export interface Model<Input> {
  readonly initial: string
  apply(state: string, input: Input): { readonly state: string; readonly output: string }
}

/** More than a history of a few clients has; sets of operations are stored as the bits of a number. */
const MOST_OPERATIONS = 30

/** An order that explains the history; undefined when there is none. */
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

/** The remaining operations that may take effect first: those called before any other remaining one returned. */
function nextOf(history: readonly Operation<unknown>[], done: number): number[] {
  const rest = history.flatMap((_, at) => ((done >> at) & 1 ? [] : [at]))
  const firstReturn = Math.min(...rest.map((at) => history[at]?.returnedAt ?? 0))
  return rest.filter((at) => (history[at]?.calledAt ?? 0) < firstReturn)
}

/** Formats a history as text, in the order of the calls. */
export function formatHistory(history: readonly Operation<unknown>[]): string {
  const inOrder = [...history].sort((one, other) => one.calledAt - other.calledAt)
  return inOrder
    .map(({ input, output, calledAt, returnedAt }) => {
      return `${calledAt} to ${returnedAt}: ${JSON.stringify(input)} answered ${output}`
    })
    .join('\n')
}

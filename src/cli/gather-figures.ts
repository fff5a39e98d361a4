// The figures of all processes that serve, for the one that is asked for them. The first process only passes the question
// and the answers on; whoever does not answer in time is left out.
import cluster from 'node:cluster'
import type { Figures } from '../observe/metrics.ts'

/** Well below the 10 s after which Prometheus gives up. */
const PATIENCE_MS = 1_000

/** From the process that asks to the first, and from there to all, itself among them. */
interface Question {
  readonly figuresAskedBy: number
  readonly question: number
  /** How many are asked. */
  readonly of: number
}

/** From each to the first, and from there to the one that asks. */
interface Reply extends Question {
  readonly figures: Figures
}

/** In the first process: passes on what the others ask and answer. */
export function passFiguresOn(): void {
  cluster.on('message', (_worker, message: Partial<Reply>) => {
    if (message.figuresAskedBy === undefined) return
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected())
    if (message.figures !== undefined) cluster.workers?.[message.figuresAskedBy]?.send(message)
    else for (const worker of workers) worker?.send({ ...message, of: workers.length })
  })
}

/** In a process that serves: answers when it is asked, and gives a way to ask all. */
export function gatherFigures(own: () => Promise<Figures>): () => Promise<readonly Figures[]> {
  const id = cluster.worker?.id ?? 0
  const waiting = new Map<number, (reply: Reply) => void>()
  let questions = 0
  process.on('message', (message: Partial<Reply> & Question) => {
    if (message.figuresAskedBy === undefined) return
    if (message.figures !== undefined) waiting.get(message.question)?.(message as Reply)
    else own().then((figures) => process.send?.({ ...message, figures }))
  })
  return () =>
    new Promise((resolve) => {
      const question = ++questions
      const gathered: Figures[] = []
      const finish = (): void => {
        clearTimeout(timer)
        waiting.delete(question)
        resolve(gathered)
      }
      const timer = setTimeout(finish, PATIENCE_MS)
      waiting.set(question, ({ figures, of }) => {
        gathered.push(figures)
        if (gathered.length === of) finish()
      })
      process.send?.({ figuresAskedBy: id, question, of: 0 } satisfies Question)
    })
}

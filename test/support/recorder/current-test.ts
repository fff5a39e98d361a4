// Tells the recorder which test runs, in runs with `RECORD`.
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { nowRuns } from './record.ts'

/** Inside the checkout. */
const nameOf = (path: string) => path.replace(`${process.cwd()}/`, '')

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures a hook asks for.
beforeAll(({}, file) => nowRuns(nameOf(file.file.filepath)))
beforeEach(({ task }) => nowRuns(nameOf(task.file.filepath), task.fullTestName))
afterEach(({ task }) => nowRuns(nameOf(task.file.filepath)))

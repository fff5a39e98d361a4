// The programs that the service starts as processes of their own, with little memory and without its environment.
// Its workers are clones of it (`cli/actions/worker-group.ts`); what handles untrusted input has further limits
// (`files/processes/start-process.ts`).
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siblingModule } from './processes.ts'

interface Program {
  /** Options of Node.js; their sizes are in MiB. */
  readonly flags: readonly string[]
  /** Variables of the service's environment that it gets. */
  readonly variables?: RegExp
}

const MALLOC = /^MALLOC_\w+$/

const PROGRAMS = {
  // Rows are short-lived, so no large young generation is needed.
  'reader-process': { flags: ['--max-semi-space-size=1'] },
  'check-process': { flags: ['--max-semi-space-size=1'] },
  // It sorts in files.
  'index-process': { flags: [], variables: /TMPDIR$/ },
  // A group of rows is outside the heap, but for the values of one column.
  'encoder-process': { flags: ['--max-semi-space-size=2', '--max-old-space-size=160'] },
  // As the command `backup`, which has credentials of databases and file stores elsewhere from there.
  'backup-process': { flags: [], variables: /./ },
} satisfies Record<string, Program>

/** Starts a module beside the one whose `import.meta.url` is `from`. */
export function startProgram(
  name: keyof typeof PROGRAMS,
  from: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const { flags, variables }: Program = PROGRAMS[name]
  return spawn(process.execPath, [...flags, fileURLToPath(siblingModule(name, from)), ...args], {
    stdio,
    env: environment(variables),
  })
}

/**
 * With the compile cache of the service, because compiling TypeScript alone would take another 24 MiB, and with the
 * bounds of its malloc.
 */
function environment(variables: RegExp | undefined): NodeJS.ProcessEnv {
  const compiled = getCompileCacheDir()
  return {
    MALLOC_ARENA_MAX: '2',
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => MALLOC.test(name) || variables?.test(name))),
    ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
  }
}

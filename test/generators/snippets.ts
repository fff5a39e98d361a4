// Runs the blocks of a page in a folder beside a service, as a reader would paste them.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Block } from '../support/guides.ts'
import { COMPILED } from '../support/process.ts'
import { PROGRAM } from '../support/program.ts'

const run = promisify(execFile)

export interface Place {
  /** Stands for the folders of a server, such as `/backup`. The data of the service is in `data` below it. */
  readonly folder: string
  /** The service, instead of the address that pages print. */
  readonly address: string
}

const PRINTED_ADDRESS = 'http://127.0.0.1:8080'
const SERVER_FOLDERS = /(?<=^|[\s"'=:])\/(?=(?:backup|etc|srv|var)\/)/gm

/**
 * `npm run -s tabularium --` and `tabularium` start the program. A second service gets a folder of its own and is
 * stopped when it listens. The commands of a checkout are what the suite itself begins with.
 */
const COMMANDS = `
PROGRAM=(${[process.execPath, ...PROGRAM].map((part) => `'${part}'`).join(' ')})
tabularium() {
  if [ "$1" != serve ]; then "\${PROGRAM[@]}" "$@"; return; fi
  : > served.log
  [[ "$*" = *--config* ]] || set -- "$@" --data served
  "\${PROGRAM[@]}" "$@" --port 0 --shutdown-grace 0 >> served.log 2>&1 &
  local service=$!
  until grep -q 'listening on' served.log; do
    kill -0 $service 2> /dev/null || { cat served.log >&2; return 1; }
    sleep 0.05
  done
  kill $service
  wait $service
}
npm() { case "$1" in ci|test|start) ;; run) shift 4; tabularium "$@" ;; *) command npm "$@" ;; esac; }
set -eo pipefail
`

/** The first line of a block that is a file: `# crm.yaml`, `# /etc/tabularium/tabularium.yaml`. */
export const NAMED_FILE = /^# (\S+\.yaml)$/m

type Run = (text: string, block: Block, place: Place) => Promise<string>

const bash: Run = (text, { before }, place) => {
  const earlier = before.filter(({ language }) => language === 'bash').map((block) => placed(block.text, place))
  const variables = earlier.join('\n').match(/^(?:[A-Z]+|export [A-Z_]+)=.*$/gm) ?? []
  return output('bash', ['-c', [COMMANDS, ...variables, text].join('\n')], place.folder)
}

const LANGUAGES: Readonly<Record<string, Run>> = {
  bash,
  sh: bash,
  ts: (text, _block, { folder }) => {
    writeFileSync(join(folder, 'snippet.ts'), text)
    return output(process.execPath, ['snippet.ts'], folder)
  },
  python: (text, _block, { folder }) => output('python3', ['-c', text], folder),
  sql: async (text, _block, { folder }) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const answer = await connection.runAndReadAll(text.replaceAll(/'(\w+\.(?:ndjson|parquet))'/g, `'${folder}/$1'`))
    return [answer.columnNames(), ...answer.getRowsJson()].map((row) => row.join(' ')).join('\n')
  },
  // A file, if its first line says which.
  yaml: async (text, _block, { folder }) => {
    const [, name] = NAMED_FILE.exec(text) ?? []
    if (name === undefined) return ''
    const file = resolve(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return ''
  },
}

export const RUN_LANGUAGES = Object.keys(LANGUAGES)

/** What a block prints on standard output. Rejects if it fails. */
export function runBlock(block: Block, place: Place): Promise<string> {
  const text = placed(block.text, place)
  return LANGUAGES[block.language]?.(text, block, place) ?? Promise.reject(new Error(`${block.language} is not run`))
}

function placed(text: string, { address, folder }: Place): string {
  return text.replaceAll(PRINTED_ADDRESS, address).replaceAll(SERVER_FOLDERS, `${folder}/`)
}

async function output(command: string, args: readonly string[], cwd: string): Promise<string> {
  // What a command keeps for its user stays in the folder of the test.
  const env = { ...process.env, ...COMPILED, TABULARIUM_WORKERS: '1', XDG_CONFIG_HOME: cwd }
  const { stdout } = await run(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

// `node bench/self-time.ts FILE.cpuprofile [LINES]`: prints the functions of a profile by their self time.
import { readFileSync } from 'node:fs'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const [file = '', lines = '40'] = process.argv.slice(2)
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile
const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
const spent = new Map<string, number>()
for (const [at, id] of samples.entries()) {
  const name = names.get(id) ?? ''
  if (name !== '(idle)') spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[at] ?? 0))
}
const total = spent.values().reduce((sum, micros) => sum + micros, 0)
for (const [name, micros] of [...spent].sort(([, one], [, other]) => other - one).slice(0, Number(lines))) {
  process.stdout.write(`${((micros / total) * 100).toFixed(1).padStart(5)} %  ${name}\n`)
}

function nameOf({ functionName, url, lineNumber }: ProfileNode['callFrame']): string {
  const place = url.replace(/^.*\/(?=(node_modules|src|bench)\/)/, '').replace(/^node_modules\//, '')
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}:${lineNumber + 1}`}`
}

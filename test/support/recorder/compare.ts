// `npm run recorded -- FOLDER FOLDER` compares two recordings, and prints by test what differs. What a test has sent is
// compared as a set, because requests at the same time have no order. When it reads the same again at once, it waits:
// only the last answer counts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createPatch } from 'diff'
import { withoutChance } from './chance.ts'
import { SEPARATOR } from './record.ts'

/** Comparing line by line takes the square of what differs: nobody reads more than these lines. */
const MOST_EDITS = 500

const [before, after] = process.argv.slice(2)
if (!before || !after) throw new Error('name two folders that were recorded')

const tests = new Set([...testsIn(before), ...testsIn(after)])
const differences = [...tests].sort().flatMap((test) => differenceOf(test, join(before, test), join(after, test)))
for (const difference of differences) console.log(difference)
console.log(`${differences.length} of ${tests.size} tests differ`)
process.exitCode = differences.length > 0 ? 1 : 0

function testsIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

function differenceOf(test: string, left: string, right: string): string[] {
  if (!existsSync(left) || !existsSync(right)) return [`${test}: only in ${existsSync(left) ? before : after}`]
  const [sets, other] = [exchangesIn(left), exchangesIn(right)]
  const [gone, come] = [sets.difference(other), other.difference(sets)]
  if (gone.size + come.size === 0) return []
  const patch = createPatch(test, linesOf(gone), linesOf(come), undefined, undefined, { maxEditLength: MOST_EDITS })
  return [patch ?? `${test}: ${gone.size} exchanges only in ${before}, ${come.size} only in ${after}`]
}

function exchangesIn(file: string): ReadonlySet<string> {
  const exchanges = readFileSync(file, 'utf8').split(SEPARATOR).filter(Boolean).map(exchangeOf)
  const isAskedAgain = (sent: string, next: string | undefined) =>
    sent === next && !/"method":"(?!GET)|"args"/.test(sent)
  const last = exchanges.filter(({ sent }, at) => !isAskedAgain(sent, exchanges[at + 1]?.sent))
  return new Set(last.map(({ sent, came }) => `${sent}\n${came}`))
}

function exchangeOf(text: string): { sent: string; came: string } {
  const [at = '', sent = '', ...came] = text.split('\n')
  return { sent: withoutChance(sent, at), came: withoutChance(came.join('\n'), at) }
}

/** A line for each member, so that a difference is seen at its place. */
function linesOf(exchanges: ReadonlySet<string>): string {
  return [...exchanges]
    .sort()
    .join('\n\n')
    .replaceAll(/,(?=")/g, ',\n')
}

// Random machines of states, and random changes of a record and its line: what is answered, and what is stored, is what a
// plain model says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const MACHINES = triesOf({ smoke: 8, long: 40, full: 400 })
const IN_ONE_SETUP = 20
/** The full form takes half an hour on a busy machine. */
const MOST_MS = 7_200_000
const STEPS = 40

const STATES = ['a', 'b', 'c', 'd'] as const
const ROLES = ['one', 'two'] as const
const MEMBERS = ['x', 'y', 'lines'] as const
type State = (typeof STATES)[number] | 'closed'

interface Machine {
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly roles?: readonly string[] }[]
  readonly states: Readonly<
    Record<string, { readonly requires?: readonly string[]; readonly locks?: readonly string[] }>
  >
}

const some = <T>(all: readonly T[]) => fc.subarray([...all], { minLength: 1 })
const machines: fc.Arbitrary<Machine> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...STATES), fc.constantFrom(...STATES)), {
      minLength: 3,
      maxLength: 9,
      selector: (pair) => pair.join(),
    }),
    fc.array(fc.option(some(ROLES), { nil: undefined }), { minLength: 9, maxLength: 9 }),
    fc.array(fc.option(some(MEMBERS), { nil: undefined }), { minLength: 8, maxLength: 8 }),
  )
  .map(([pairs, roles, members]) => {
    const transitions = [['a', 'b'] as const, ...pairs.filter(([from, to]) => from !== to && `${from}${to}` !== 'ab')]
    const known = new Set(transitions.flat())
    return {
      transitions: transitions.map(([from, to], at) => ({ from, to, ...(roles[at] ? { roles: roles[at] } : {}) })),
      states: Object.fromEntries(
        STATES.flatMap((state, at) => {
          if (!known.has(state)) return []
          // The first state asks for nothing, so that there are records.
          const requires = state === 'a' ? undefined : members[at]
          const locks = members[at + 4]
          return [[state, { ...(requires ? { requires } : {}), ...(locks ? { locks } : {}) }]]
        }),
      ),
    }
  })

interface Step {
  readonly as: 'everything' | (typeof ROLES)[number]
  readonly state?: State | undefined
  readonly x?: string | undefined
  readonly y?: number | undefined
  /** Through the record, or at the address of the line. */
  readonly lines?: 'added' | 'removed' | 'changed' | 'posted' | 'patched' | 'deleted' | undefined
  readonly isDelete: boolean
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const steps: fc.Arbitrary<Step> = fc.record({
  as: fc.constantFrom('everything' as const, ...ROLES),
  state: maybe(fc.constantFrom<State>(...STATES, 'closed')),
  x: maybe(fc.constantFrom('', 'p', 'q')),
  y: maybe(fc.constantFrom(0, 1, 2)),
  lines: maybe(fc.constantFrom('added', 'removed', 'changed', 'posted', 'patched', 'deleted')),
  isDelete: fc.nat(30).map((number) => number === 0),
})

interface Stored {
  state: State
  x: string
  y: number
  line: number | undefined
}

function documentsOf(name: string, machine: Machine) {
  return [
    {
      name,
      key: ['no'],
      state: { property: 'state', closed: 'closed', ...machine },
      properties: {
        no: { type: 'integer' },
        state: { type: 'string', default: 'a' },
        x: { type: 'string' },
        y: { type: 'integer' },
        lines: { items: `${name}-lines`, by: ['no'], with: 'cascade' },
      },
    },
    {
      name: `${name}-lines`,
      key: ['no', 'line'],
      properties: {
        no: { type: 'integer' },
        line: { type: 'integer' },
        amount: { type: 'integer' },
        record: { reference: name, key: ['no'] },
      },
    },
  ]
}

const setupOf = (names: readonly string[], documents: readonly unknown[]) => {
  const all = ['create', 'read', 'update', 'delete']
  const apis = Object.fromEntries(names.flatMap((name) => [[name, all] as const, [`${name}-lines`, all] as const]))
  const clients = ['everything', ...ROLES]
  return JSON.stringify({
    version: 1,
    companies: [{ id: 'EN', name: 'Random' }],
    documents,
    roles: [{ id: 'everything', apis }, ...ROLES.map((id) => ({ id, apis: {} }))],
    users: clients.map((id) => ({ id, defaultCompany: 'EN', roles: { EN: [...new Set(['everything', id])] } })),
    clients: clients.map((id) => ({ id, user: id, secretEnv: 'TEST_CLIENT_SECRET' })),
  })
}

/** The status that is expected; what is stored changes where it is 200. */
function expected(machine: Machine, stored: Stored, { as, state, x, y, lines }: Step): [status: number, after: Stored] {
  const isOwn = lines === 'added' || lines === 'removed' || lines === 'changed'
  const after: Stored = {
    state: state ?? stored.state,
    x: x ?? stored.x,
    y: y ?? stored.y,
    line: !isOwn ? stored.line : lines === 'added' ? 1 : lines === 'removed' ? undefined : 2,
  }
  const filled = { x: after.x !== '', y: after.y !== 0, lines: after.line !== undefined }
  const isChanged = { x: after.x !== stored.x, y: after.y !== stored.y, lines: after.line !== stored.line }
  const names = (part: 'requires' | 'locks', of: State) => (machine.states[of]?.[part] ?? []) as (keyof typeof filled)[]
  const known = new Set(['a', 'closed', ...machine.transitions.flatMap(({ from, to }) => [from, to])])
  if (after.state !== stored.state) {
    if (!known.has(after.state)) return [422, stored]
    const transition = machine.transitions.find(({ from, to }) => from === stored.state && to === after.state)
    if (!transition) return [409, stored]
    if (transition.roles && !transition.roles.includes(as)) return [403, stored]
  }
  const isNew = after.state !== stored.state
  if (names('requires', after.state).some((name) => (isNew || isChanged[name]) && !filled[name])) return [422, stored]
  if (names('locks', stored.state).some((name) => isChanged[name])) return [409, stored]
  // Nothing newly refers to a closed record.
  return lines === 'added' && after.state === 'closed' ? [422, stored] : [200, after]
}

async function patched(world: World, url: string, { as, state, x, y, lines }: Step, { line }: Stored) {
  const members = Object.entries({ state, x, y }).filter(([, value]) => value !== undefined)
  const ofLines = {
    added: line === undefined ? { op: 'add', path: '/lines/-', value: { line: 1, amount: 1 } } : undefined,
    removed: line === undefined ? undefined : { op: 'remove', path: '/lines/0' },
    changed: line === undefined ? undefined : { op: 'replace', path: '/lines/0/amount', value: 2 },
  }
  const own = lines === 'added' || lines === 'removed' || lines === 'changed' ? ofLines[lines] : undefined
  const body = [...members.map(([path, value]) => ({ op: 'replace', path: `/${path}`, value })), ...(own ? [own] : [])]
  return world.send({ as, method: 'PATCH', url, body })
}

/** The step that can be done: a line is added where there is none, and changed where there is one. */
function possible(step: Step, { line }: Stored): Step {
  const wants = line === undefined ? ['added', 'posted'] : ['removed', 'changed', 'patched', 'deleted']
  return step.lines && !wants.includes(step.lines) ? { ...step, lines: undefined } : step
}

async function tryMachine(world: World, name: string, machine: Machine, seed: number): Promise<void> {
  const url = `/v1/${name}/1`
  expect((await world.send({ as: 'everything', method: 'POST', url: `/v1/${name}`, body: { no: 1 } })).status).toBe(201)
  let stored: Stored = { state: 'a', x: '', y: 0, line: undefined }
  for (const drawn of fc.sample(steps, { numRuns: STEPS, seed })) {
    const step = possible(drawn, stored)
    const told = JSON.stringify({ machine, stored, step })
    if (step.isDelete) {
      expect((await world.send({ as: step.as, method: 'DELETE', url })).status).toBe(200)
      stored = { ...stored, state: 'closed' }
    } else if (step.lines === 'posted' || step.lines === 'patched' || step.lines === 'deleted') {
      const isLocked = machine.states[stored.state]?.locks?.includes('lines') ?? false
      const isSame = step.lines === 'patched' && stored.line === 2
      const isRefused = step.lines === 'posted' && stored.state === 'closed'
      const wanted = isRefused ? 422 : isLocked && !isSame ? 409 : 200
      const { status, text } = await changedLine(world, name, step)
      expect([told, status === 201 ? 200 : status, text]).toEqual([told, wanted, text])
      if (wanted === 200) stored = { ...stored, line: { posted: 1, patched: 2, deleted: undefined }[step.lines] }
    } else {
      const [wanted, after] = expected(machine, stored, step)
      const { status, text } = await patched(world, url, step, stored)
      expect([told, status, text]).toEqual([told, wanted, text])
      stored = after
    }
    const { json } = await world.send({ as: 'everything', url })
    const lines = json.lines.map(({ amount }: { amount: number }) => amount)
    expect([told, json.state, json.x, json.y, lines]).toEqual([
      ...[told, stored.state, stored.x, stored.y, stored.line === undefined ? [] : [stored.line]],
    ])
  }
}

function changedLine(world: World, name: string, { as, lines }: Step) {
  const url = `/v1/${name}-lines`
  if (lines === 'posted') return world.send({ as, method: 'POST', url, body: { no: 1, line: 1, amount: 1 } })
  if (lines === 'deleted') return world.send({ as, method: 'DELETE', url: `${url}/1/1` })
  return world.send({ as, method: 'PATCH', url: `${url}/1/1`, body: [{ op: 'replace', path: '/amount', value: 2 }] })
}

it.each(STORE_KINDS)('random states change as they say, on %s', { timeout: MOST_MS }, async (kind) => {
  for (let from = 0; from < MACHINES; from += IN_ONE_SETUP) {
    const count = Math.min(IN_ONE_SETUP, MACHINES - from)
    const all = fc.sample(machines, { numRuns: count, seed: SEED + from })
    const names = all.map((_one, at) => `m${from + at}`)
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-states-'))
    const file = join(folder, 'setup.yaml')
    writeFileSync(
      file,
      setupOf(
        names,
        all.flatMap((machine, at) => documentsOf(names[at] ?? '', machine)),
      ),
    )
    const world = await startWorld(kind, file)
    rmSync(folder, { recursive: true })
    try {
      for (const [at, machine] of all.entries()) await tryMachine(world, names[at] ?? '', machine, SEED + from + at)
    } finally {
      await world.stop()
    }
  }
})

// The state of the records of a document, and how it may change.
import { defined } from '../../base/defined.ts'
import type { DocumentSetup, StateSetup } from '../file/document-schema.ts'
import { propertyAt } from './declared-properties.ts'
import type { StateMachine, StateMeanings, StateRules, Transition } from './record-rules.ts'

export function stateRulesOf(document: DocumentSetup, state: StateSetup): StateRules {
  const { property, closed, states = {} } = state
  const meanings = Object.fromEntries(
    Object.entries(states).flatMap(([name, { means }]) => (means === undefined ? [] : [[name, means]])),
  )
  return { path: property.split('/'), closed, meanings, machine: machineOf(document, state) }
}

/** The states of a declaration: of new records, those that transitions name, and the closed one. */
export function statesOf(document: DocumentSetup, { property, closed, transitions = [] }: StateSetup): Set<string> {
  const initial = propertyAt(document, property)?.default
  return new Set([
    ...(initial === undefined ? [] : [String(initial)]),
    ...transitions.flatMap(({ from, to }) => [from, to]),
    closed,
  ])
}

function machineOf(document: DocumentSetup, state: StateSetup): StateMachine | undefined {
  const { property, transitions, states = {} } = state
  if (!transitions) return undefined
  const pathsOf = (part: 'requires' | 'locks') =>
    new Map(Object.entries(states).map(([name, rules]) => [name, (rules[part] ?? []).map((path) => path.split('/'))]))
  return {
    initial: String(propertyAt(document, property)?.default ?? ''),
    states: statesOf(document, state),
    transitions: transitions.map(({ from, to, title, roles }) => ({ from, to, titles: title, roles })),
    requires: pathsOf('requires'),
    locks: pathsOf('locks'),
  }
}

/** What clients are told of the states of a record, in its JSON Schema. */
interface StateNote {
  readonly property: string
  /** Only where transitions are declared. */
  readonly initial?: string
  readonly closed: string
  readonly meanings: StateMeanings
  readonly transitions: readonly StateNoteTransition[]
  /** State -> the paths of what no longer changes then. */
  readonly locks: Readonly<Record<string, readonly string[]>>
}

interface StateNoteTransition extends Pick<Transition, 'from' | 'to'> {
  readonly title?: string
  /** The paths of what is filled then. */
  readonly requires: readonly string[]
}

/** `isShown`: whether a property is visible. */
export function stateNote(
  { path, closed, meanings = {}, machine }: StateRules,
  {
    isOpen = () => true,
    isShown = () => true,
    titleOf = () => undefined,
  }: {
    readonly isOpen?: (transition: Transition) => boolean
    readonly isShown?: (path: readonly string[]) => boolean
    readonly titleOf?: (transition: Transition) => string | undefined
  } = {},
): StateNote {
  const { initial, transitions = [], requires, locks = new Map<string, never>() }: Partial<StateMachine> = machine ?? {}
  const shown = (paths: readonly (readonly string[])[] = []) => paths.filter(isShown).map((one) => one.join('/'))
  return {
    property: path.join('/'),
    ...defined({ initial }),
    closed,
    meanings,
    transitions: transitions.filter(isOpen).map((one) => ({
      from: one.from,
      to: one.to,
      ...defined({ title: titleOf(one) }),
      requires: shown(requires?.get(one.to)),
    })),
    locks: Object.fromEntries(
      [...locks].flatMap(([state, paths]) => (paths.length > 0 ? [[state, shown(paths)]] : [])),
    ),
  }
}

// Checks the states of a document and how they may change.
import type { DocumentSetup, StateSetup } from '../file/document-schema.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { isComputed, propertyAt } from '../rules/declared-properties.ts'
import { statesOf } from '../rules/declared-states.ts'
import { checkReference } from './check.ts'
import { problemOfText } from './property-rules.ts'

/** `place`: of the state, whose property is known and a string. */
export function checkStates(setup: Setup, document: DocumentSetup, state: StateSetup, place: SetupPart): void {
  if (!state.transitions) {
    if (state.states) place.at('states').addAtKey('states have rules where transitions lead to them: name those')
    return
  }
  if (!place.isValid) return
  if (propertyAt(document, state.property)?.default === undefined)
    place.at('property').add(`'${state.property}' has no default, which is the state of a new record`)
  checkTransitions(setup, document, state, place.at('transitions'))
  const states = statesOf(document, state)
  for (const [name, rules] of Object.entries(state.states ?? {})) {
    const here = place.at('states', name)
    if (!states.has(name)) here.addAtKey(`no transition leads to or from '${name}'`)
    for (const [at, member] of (rules.requires ?? []).entries()) {
      const problem = problemOfRequired(document, state, member)
      if (problem !== undefined) here.at('requires', at).add(problem)
    }
    for (const [at, member] of (rules.locks ?? []).entries()) {
      const problem = problemOfLocked(document, state, member)
      if (problem !== undefined) here.at('locks', at).add(problem)
    }
  }
}

function checkTransitions(
  setup: Setup,
  document: DocumentSetup,
  { property, transitions = [] }: StateSetup,
  place: SetupPart,
): void {
  const declared = propertyAt(document, property)
  const roles = new Set((setup.roles ?? []).map(({ id }) => id))
  const seen = new Set<string>()
  for (const [at, { from, to, roles: ids = [] }] of transitions.entries()) {
    for (const [end, name] of Object.entries({ from, to })) {
      const problem = declared && problemOfText(setup, declared, name)
      if (problem !== undefined) place.at(at, end).add(problem)
    }
    if (from === to) place.at(at, 'to').add(`'${to}' is the state that it leads from`)
    const key = JSON.stringify([from, to])
    if (seen.has(key)) place.at(at).add(`the transition from '${from}' to '${to}' is there twice`)
    seen.add(key)
    for (const [one, id] of ids.entries()) checkReference(place.at(at, 'roles', one), 'role', id, roles)
  }
}

function problemOfRequired(document: DocumentSetup, { property }: StateSetup, path: string): string | undefined {
  const isWhole = Object.hasOwn(document.properties, path) ? document.properties[path] : undefined
  if (isWhole && ('list' in isWhole || 'items' in isWhole)) return undefined
  if (path === property) return `'${path}' is the state itself`
  return propertyAt(document, path) ? undefined : `there is no property '${path}' with a value, and no such list`
}

function problemOfLocked(document: DocumentSetup, { property }: StateSetup, path: string): string | undefined {
  const whole = Object.hasOwn(document.properties, path) ? document.properties[path] : undefined
  if (path === property) return `'${path}' is the state itself`
  if (document.key.includes(path)) return `'${path}' is of the key, which never changes`
  if (whole && (isComputed(whole) || 'reference' in whole))
    return `'${path}' is written by nobody: lock the properties that it is made of`
  return whole || propertyAt(document, path) ? undefined : `there is no property '${path}'`
}

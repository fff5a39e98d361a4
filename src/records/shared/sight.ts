// What a caller sees of single records: which of them, and without which members. The engine of the queries decides about
// rows, so that a record is seen here exactly when a query would answer it.
import type { TObject, TSchema } from 'typebox'
import type { Caller, Permission } from '../../access/caller.ts'
import { LongNumber, parseExact } from '../../base/long-number.ts'
import { foldName } from '../../base/text.ts'
import { coded, invalidRecord } from '../../errors/catalogue.ts'
import { type FieldPath, Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { restricted } from '../../model/restricted.ts'
import { record } from '../../model/schema.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import { compileCount } from '../../store/compile/compile-query.ts'
import type { Expressions } from '../../store/compile/expressions.ts'
import type { CompiledQuery, ReadTx, Scope } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'
import { withoutMembers } from './without-members.ts'

interface Versioned {
  readonly change_no: number
}

/** Documents call it `lastUpdate`, otherwise than their Enterprise Document. */
const LAST_UPDATED = /^lastupdated(?=\/|$)/

export class Sight {
  readonly #definition: DocumentDefinition
  /** In lower case. */
  readonly #hidden: ReadonlySet<string>
  readonly #schemas = new WeakMap<TObject, TObject>()
  readonly #compiledRules = new Map<Expressions, CompiledQuery>()

  constructor(definition: DocumentDefinition) {
    this.#definition = definition
    const hidden = [...(definition.restriction?.hidden ?? [])]
    this.#hidden = new Set([...hidden, ...hidden.map((path) => path.replace(LAST_UPDATED, 'lastupdate'))])
  }

  /** For queries: the same rows and properties are there. */
  get document(): DocumentDefinition {
    return this.#definition
  }

  /** Whether some rows are not there for the caller. */
  get isPartial(): boolean {
    return this.#definition.restriction?.filters !== undefined
  }

  get hidesAny(): boolean {
    return this.#hidden.size > 0
  }

  /** What decides whether a record is seen. */
  get readings(): readonly Reading[] {
    return this.isPartial ? [this.#rule] : []
  }

  /** Whether a member of a record, or what it is in, is hidden. */
  hides(path: FieldPath): boolean {
    const parts = path.filter((part) => typeof part === 'string').map(foldName)
    return parts.some((_part, at) => this.#hidden.has(parts.slice(0, at + 1).join('/')))
  }

  /** Whether the caller sees the record with this key, just as it was found. */
  async sees(tx: ReadTx, key: Scope, { change_no }: Versioned): Promise<boolean> {
    return !this.isPartial || this.#isThere(tx, [...key, ['change_no', change_no]])
  }

  /** Whether the caller sees the record with this key as it is now. */
  async seesNow(tx: ReadTx, key: Scope): Promise<boolean> {
    return !this.isPartial || this.#isThere(tx, key)
  }

  /** The rule of the rows, of whatever company. */
  readonly #rule = (engine: Expressions): CompiledQuery => {
    let compiled = this.#compiledRules.get(engine)
    if (!compiled) {
      compiled = compileCount(this.#definition, rowRuleOf(this.#definition), [], engine)
      this.#compiledRules.set(engine, compiled)
    }
    return compiled
  }

  async #isThere(tx: ReadTx, key: Scope): Promise<boolean> {
    const definition = this.#definition
    const scope: Scope = [[definition.companyColumn, tx.companyId], ...key]
    return (await tx.count((engine) => compileCount(definition, rowRuleOf(definition), scope, engine))) > 0
  }

  /** The record, or nothing when the caller does not see it. Outside a transaction it may change in between: then it is looked at anew. */
  find<Found extends Versioned>(
    tx: ReadTx,
    key: Scope,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    return this.isPartial ? this.#findSeen(tx, key, find) : find()
  }

  async #findSeen<Found extends Versioned>(
    tx: ReadTx,
    key: Scope,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    let found = await find()
    while (found && !(await this.sees(tx, key, found))) {
      const again = await find()
      if (again?.change_no === found.change_no) return undefined
      found = again
    }
    return found
  }

  /** Throws 422 when the caller does not see what has just been written: nobody writes what they could not read. */
  async requireSeen(tx: ReadTx, key: Scope): Promise<void> {
    if (!(await this.seesNow(tx, key))) throw outOfSight()
  }

  /** A record as JSON, without what is hidden. */
  shown(json: string): string {
    return this.hidesAny ? withoutMembers(json, (path) => this.#isHidden(path)) : json
  }

  /** A record that was found, its text without what is hidden. */
  shownOf<Found extends { readonly body: string }>(found: Found): Found {
    return this.hidesAny ? { ...found, body: this.shown(found.body) } : found
  }

  /** What is read of a body: a hidden member is unknown. */
  schema<Schema extends TObject>(schema: Schema): Schema {
    if (!this.hidesAny) return schema
    const known = this.#schemas.get(schema) ?? this.#visiblePart(schema, '')
    this.#schemas.set(schema, known)
    return known as Schema
  }

  /** A patched record with the hidden members as they were: what replaces a group does not touch those in it. */
  kept<Given extends object>(patched: Given, stored: object): Given {
    if (this.hidesAny) this.#keep(patched as Members, stored as Members, '')
    return patched
  }

  /** Refuses a record without telling of what is hidden. */
  refused(sent: object, findings: Findings): Problem {
    if (!this.hidesAny) return invalidRecord(sent, findings)
    const visible = new Findings()
    for (const finding of findings.all) if (!this.hides(finding.path)) visible.all.push(finding)
    return visible.size > 0
      ? invalidRecord(parseExact(this.shown(JSON.stringify(sent))) as object, visible)
      : needsHidden()
  }

  #isHidden(path: readonly string[]): boolean {
    return this.#hidden.has(path.map(foldName).join('/'))
  }

  #visiblePart(schema: TObject, above: string): TObject {
    const left = Object.entries(schema.properties).flatMap(([name, member]): [string, TSchema][] => {
      const path = above + foldName(name)
      if (this.#hidden.has(path)) return []
      const isGroup = (member as { type?: unknown }).type === 'object'
      return [[name, isGroup ? this.#visiblePart(member as TObject, `${path}/`) : member]]
    })
    return record(Object.fromEntries(left))
  }

  #keep(patched: Members, stored: Members, above: string): void {
    for (const [name, value] of Object.entries(stored)) {
      const path = above + foldName(name)
      if (this.#hidden.has(path)) patched[name] = value
      else if (isGroup(value) && this.#hidesIn(path)) {
        patched[name] ??= {}
        this.#keep(patched[name] as Members, value, `${path}/`)
      }
    }
  }

  #hidesIn(path: string): boolean {
    return [...this.#hidden].some((hidden) => hidden.startsWith(`${path}/`))
  }
}

type Members = Record<string, unknown>

function isGroup(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber)
}

/** The same words whatever is there already, so that nobody finds out by them. */
export function outOfSight(): Problem {
  return coded(422, 3010, 'The record would be outside of what you may see.')
}

function needsHidden(): Problem {
  return coded(422, 3010, 'The record cannot be saved without properties that you may not see.')
}

const sights = new WeakMap<DocumentDefinition, Sight>()

/** What the roles that allow an operation let the caller see of the records that a document is about. */
export function sightOf(
  caller: Caller,
  company: CompanyRules,
  permission: Permission,
  document: DocumentDefinition,
): Sight {
  const rules = caller.rulesFor(company.id, permission)
  const definition = rules ? restricted(document, rules) : document
  let sight = sights.get(definition)
  if (!sight) {
    sight = new Sight(definition)
    sights.set(definition, sight)
  }
  return sight
}

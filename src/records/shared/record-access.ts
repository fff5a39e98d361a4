// Access to single records: which records a caller may see, and which of their members are hidden. The query engine
// evaluates the row rules, so that a record is visible here exactly when a query would return it.

import type { TObject, TSchema } from 'typebox'
import type { Caller, Permission } from '../../access/caller.ts'
import { withoutZone } from '../../base/dates.ts'
import { parseAsWritten, parseExact } from '../../base/long-number.ts'
import { memo } from '../../base/memo.ts'
import { isObject } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { coded, invalidRecord } from '../../errors/catalogue.ts'
import { type FieldPath, Findings } from '../../errors/findings.ts'
import type { Problem, ProblemOptions } from '../../errors/problem.ts'
import type { TitleOf } from '../../errors/sentences.ts'
import type { DocumentDefinition, Properties } from '../../model/document.ts'
import { type DocumentRules, restricted } from '../../model/restricted.ts'
import { record } from '../../model/schema.ts'
import { titleOfNamed } from '../../model/titles.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { compileCount } from '../../sql/compile/compile-query.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'

interface Versioned {
  readonly change_no: number
}

/** The resource of documents names this member `lastUpdate`; its Enterprise Document names it `lastUpdated`. */
const LAST_UPDATED = /^lastupdated(?=\/|$)/

export class RecordAccess {
  readonly #definition: DocumentDefinition
  /** Paths of hidden members, folded to lower case. */
  readonly #hidden: ReadonlySet<string>
  readonly #visibleSchemaOf = memo((schema: TObject) => this.#visibleSchema(schema, ''))

  constructor(definition: DocumentDefinition) {
    this.#definition = definition
    const hidden = [...(definition.restriction?.hidden ?? [])]
    this.#hidden = new Set([...hidden, ...hidden.map((path) => path.replace(LAST_UPDATED, 'lastupdate'))])
  }

  /** The definition with the caller's restriction, for queries under the same rules. */
  get document(): DocumentDefinition {
    return this.#definition
  }

  /** What messages call the members of the records. */
  readonly titleOf: TitleOf = (name, language) => titleOfNamed(name, language, this.#definition)

  /** Whether a rule hides some rows from the caller. */
  get hasRowRule(): boolean {
    return this.#definition.restriction?.filters !== undefined
  }

  get hidesAny(): boolean {
    return this.#hidden.size > 0
  }

  /** The statements that decide whether a record is visible. */
  get readings(): readonly Reading[] {
    return this.hasRowRule ? [this.#rule] : []
  }

  /** Whether a member of a record, or a group that contains it, is hidden. */
  hides(path: FieldPath): boolean {
    const parts = path.filter((part) => typeof part === 'string').map(foldName)
    return parts.some((_part, at) => this.#hidden.has(parts.slice(0, at + 1).join('/')))
  }

  /** Whether the record with this key is visible to the caller in exactly the version that was found. */
  async isVisibleAt(tx: ReadTx, key: KeyFilter, { change_no }: Versioned): Promise<boolean> {
    return !this.hasRowRule || this.#exists(tx, [...key, [this.#definition.changeColumn ?? 'change_no', change_no]])
  }

  /** Whether the current version of the record with this key is visible to the caller. */
  async isVisible(tx: ReadTx, key: KeyFilter): Promise<boolean> {
    return !this.hasRowRule || this.#exists(tx, key)
  }

  /** The compiled row rule; it is the same for every company. */
  readonly #rule = memo((dialect: Dialect) => compileCount(this.#definition, rowRuleOf(this.#definition), [], dialect))

  async #exists(tx: ReadTx, key: KeyFilter): Promise<boolean> {
    const definition = this.#definition
    const scope: KeyFilter = [[definition.companyColumn, tx.companyId], ...key]
    return (await tx.count((dialect) => compileCount(definition, rowRuleOf(definition), scope, dialect))) > 0
  }

  /**
   * The record, or undefined when it is hidden. Outside a transaction it may change between read and check: then both
   * are repeated.
   */
  find<Found extends Versioned>(
    tx: ReadTx,
    keyOf: () => KeyFilter,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    return this.hasRowRule ? this.#findVisible(tx, keyOf(), find) : find()
  }

  async #findVisible<Found extends Versioned>(
    tx: ReadTx,
    key: KeyFilter,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    let found = await find()
    while (found && !(await this.isVisibleAt(tx, key, found))) {
      const again = await find()
      if (again?.change_no === found.change_no) return undefined
      found = again
    }
    return found
  }

  /**
   * Throws 422 when the record just written is not visible to the caller: nobody may write what they could not read.
   */
  async requireVisible(tx: ReadTx, key: KeyFilter): Promise<void> {
    if (!(await this.isVisible(tx, key))) throw notVisible()
  }

  redact(json: string): string {
    return this.hidesAny ? withoutMembers(json, (path) => this.#isHidden(path)) : json
  }

  /** The found record with a redacted body. */
  redactBody<Found extends { readonly body: string }>(found: Found): Found {
    return this.hidesAny ? { ...found, body: this.redact(found.body) } : found
  }

  /** The schema for request bodies: without the hidden members, which therefore count as unknown. */
  schema<Schema extends TObject>(schema: Schema): Schema {
    if (!this.hidesAny) return schema
    const visible = this.#visibleSchemaOf(schema)
    return visible as Schema
  }

  /** Restores the hidden members of a patched record: replacing a group does not change the hidden members in it. */
  restoreHidden<Given extends object>(patched: Given, stored: object): Given {
    if (this.hidesAny) this.#copyHidden(patched as Record<string, unknown>, stored as Record<string, unknown>, '')
    return patched
  }

  /**
   * The rejection of a record, without findings on hidden members. Its date-times are those of the resource, whose
   * answers have no zone; `hasZone`: those of relations have, and bodies that are answered as they were read.
   */
  refusal(
    given: object,
    findings: Findings,
    { hasZone = false, ...options }: ProblemOptions & { readonly hasZone?: boolean } = {},
  ): Problem {
    const titled = { titleOf: this.titleOf, ...options }
    const sent = hasZone ? given : (withoutZones(given, this.#definition.properties) as object)
    if (!this.hidesAny) return invalidRecord(sent, findings, titled)
    const visible = new Findings()
    for (const finding of findings.all) if (!this.hides(finding.path)) visible.all.push(finding)
    return visible.size > 0
      ? invalidRecord(parseExact(this.redact(JSON.stringify(sent))) as object, visible, titled)
      : needsHidden()
  }

  #isHidden(path: readonly string[]): boolean {
    return this.#hidden.has(path.map(foldName).join('/'))
  }

  #visibleSchema(schema: TObject, above: string): TObject {
    const visible = Object.entries(schema.properties).flatMap(([name, member]): [string, TSchema][] => {
      const path = above + foldName(name)
      if (this.#hidden.has(path)) return []
      const isGroup = (member as { type?: unknown }).type === 'object'
      return [[name, isGroup ? this.#visibleSchema(member as TObject, `${path}/`) : member]]
    })
    return record(Object.fromEntries(visible))
  }

  #copyHidden(patched: Record<string, unknown>, stored: Record<string, unknown>, above: string): void {
    for (const [name, value] of Object.entries(stored)) {
      const path = above + foldName(name)
      if (this.#hidden.has(path)) patched[name] = value
      else if (isObject(value) && this.#hidesBelow(path)) {
        patched[name] ??= {}
        this.#copyHidden(patched[name] as Record<string, unknown>, value, `${path}/`)
      }
    }
  }

  #hidesBelow(path: string): boolean {
    return [...this.#hidden].some((hidden) => hidden.startsWith(`${path}/`))
  }
}

/** The message never depends on existing records, so that a caller cannot infer hidden ones from it. */
export function notVisible(): Problem {
  return coded(422, 3010, 'The record would be outside of what you may see.')
}

function needsHidden(): Problem {
  return coded(422, 3010, 'The record cannot be saved without properties that you may not see.')
}

const accessByDefinition = memo((definition: DocumentDefinition) => new RecordAccess(definition))

/** The caller's access to the records of a document, under the roles that allow the operation. */
export function recordAccess(
  caller: Caller,
  company: CompanyRules,
  permission: Permission,
  document: DocumentDefinition,
): RecordAccess {
  return accessUnder(caller.rulesFor(company.id, permission), document)
}

/** The same for records that are answered with their lines, which are records of other documents. */
export function accessWithLines(
  caller: Caller,
  company: CompanyRules,
  permission: Permission,
  document: DocumentDefinition,
  lines: readonly string[],
): RecordAccess {
  return accessUnder(caller.rulesWithLines(company.id, permission, lines), document)
}

/** The caller's access to the records of a document that its own records may refer to. */
export function referenceAccess(caller: Caller, company: CompanyRules, document: DocumentDefinition): RecordAccess {
  return accessUnder(caller.rulesForReference(company.id, document.name), document)
}

function accessUnder(rules: DocumentRules | undefined, document: DocumentDefinition): RecordAccess {
  return accessByDefinition(rules ? restricted(document, rules) : document)
}

/**
 * Removes the members with hidden paths from a JSON object. A list is removed completely or not at all. Numbers keep
 * their digits, which may be more than those of a double.
 */
function withoutMembers(json: string, isHidden: (path: readonly string[]) => boolean): string {
  const root = parseAsWritten(json) as object
  remove(root, [], isHidden)
  return JSON.stringify(root)
}

function remove(object: object, above: readonly string[], isHidden: (path: readonly string[]) => boolean): void {
  for (const [name, value] of Object.entries(object)) {
    const path = [...above, name]
    if (isHidden(path)) delete (object as Record<string, unknown>)[name]
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) remove(value, path, isHidden)
  }
}

/** Members that a definition does not have are left alone, and so are values that are no date-times. */
function withoutZones(value: unknown, properties: Properties): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutZones(item, properties))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const property = properties[name === 'lastUpdate' ? 'lastUpdated' : name]
      if (property?.kind === 'group' || property?.kind === 'list')
        return [name, withoutZones(inner, property.properties)]
      const isTime = property?.kind === 'value' && property.type === 'date-time' && typeof inner === 'string'
      return [name, isTime ? withoutZone(inner) : inner]
    }),
  )
}

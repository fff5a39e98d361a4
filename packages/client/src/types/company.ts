// What a company holds, as types: written by `tabularium types` of a running service, and read by the types of answers.
// Each document is a small interface of its own, so that a compiler reads only those that a program asks.

/** A simple property. */
export interface Value<Type> {
  readonly kind: 'value'
  readonly type: Type
}

/** A code, whose text can be selected as well: `countryCode[C;T]`. */
export interface Coded<Type> {
  readonly kind: 'coded'
  readonly type: Type
}

export interface Group<Properties> {
  readonly kind: 'group'
  readonly properties: Properties
}

/** A group that is answered whole when one of its members is selected. */
export interface ComplexGroup<Properties> {
  readonly kind: 'complex'
  readonly properties: Properties
}

/** A group that is answered only when it is selected. */
export interface GroupOnRequest<Properties> {
  readonly kind: 'on request'
  readonly properties: Properties
}

/** Items, which are answered only when they are selected. */
export interface List<Properties> {
  readonly kind: 'list'
  readonly properties: Properties
}

/** A record of another document, which is answered only when it is selected. */
export interface Association<Properties> {
  readonly kind: 'association'
  readonly properties: Properties
}

export type Property =
  | Value<unknown>
  | Coded<unknown>
  | Group<unknown>
  | ComplexGroup<unknown>
  | GroupOnRequest<unknown>
  | List<unknown>
  | Association<unknown>

/** An Enterprise Document: its properties by their names. */
export interface DocumentTypes {
  readonly name: string
  readonly properties: object
  /** Names of parameters, one of which must be true at least, such as `posted` of the ledger. */
  readonly states?: string
}

// The properties of a document as parts of a filter.
/** Known to the compiler alone. */
declare const TYPE: unique symbol

/** A property in a filter; `Type` is what it is compared with. */
export interface Field<Type> {
  readonly [TYPE]: Type
  /** As the query language names it, such as `invoice/creditLimit`. */
  toString(): string
}

export type Fields<Properties> = {
  readonly [Name in keyof Properties]: Properties[Name] extends { readonly type: infer Type }
    ? Field<Type>
    : Properties[Name] extends { readonly kind: 'list' }
      ? Field<never>
      : Properties[Name] extends { readonly properties: infer Inner }
        ? Fields<Inner>
        : never
}

/** A property by its path; what is asked of it is a property inside. */
export function fieldAt(path: string): Field<unknown> {
  return new Proxy(Object.create(null), {
    get: (_none, name) => {
      if (name === Symbol.toPrimitive || name === 'toString') return () => path
      if (name === 'isField') return true
      return typeof name === 'symbol' ? undefined : fieldAt(path === '' ? name : `${path}/${name}`)
    },
  })
}

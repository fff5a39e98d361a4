/** A function whose result is made once for each object, and is the same as long as the object is there. */
export function memo<Key extends object, Made>(
  make: (key: Key) => Made,
  made: KeyedValues<Key, Made> = new WeakMap<Key, Made>(),
): (key: Key) => Made {
  return (key) => getOrInsert<Key, Made>(made, key, () => make(key))
}

interface KeyedValues<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: NoInfer<Value>): unknown
}

/**
 * As a WeakMap, for objects of a single request: for each new key of a real one the collector takes a microsecond. The
 * object carries its value itself, where copies of it and comparisons do not see it.
 */
export class CarriedValues<Key extends object, Value> {
  readonly #name = Symbol('carried')

  get(key: Key): Value | undefined {
    return (key as Record<symbol, Value>)[this.#name]
  }

  set(key: Key, value: Value): void {
    Object.defineProperty(key, this.#name, { value, writable: true })
  }
}

/** The value of a key, which is made and set when there is none. */
export function getOrInsert<Key, Value>(values: KeyedValues<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

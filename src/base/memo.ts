/** A function whose result is made once for each object, and is the same as long as the object is there. */
export function memo<Key extends WeakKey, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>()
  return (key) => getOrInsert<Key, Made>(made, key, () => make(key))
}

interface KeyedValues<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: NoInfer<Value>): unknown
}

/** The value of a key, which is made and set when there is none. */
export function getOrInsert<Key, Value>(values: KeyedValues<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = values.get(key)
  if (known !== undefined) return known
  const made = make()
  values.set(key, made)
  return made
}

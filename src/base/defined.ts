type Defined<Members extends object> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that have a value: an object with a member that is `undefined` is another one to most readers. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>
}

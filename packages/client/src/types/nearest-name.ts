// The name that was probably meant: the first that begins and ends alike, or else begins or ends alike.

type Start<Text extends string> = Text extends `${infer A}${infer B}${infer C}${string}` ? `${A}${B}${C}` : Text
type End<Text extends string> = Text extends `${infer _A}${infer B}${infer C}${infer D}${infer E}`
  ? E extends ''
    ? `${B}${C}${D}`
    : End<`${B}${C}${D}${E}`>
  : Text

type Alike<Name extends string, Names extends string> =
  | Extract<Names, `${Start<Name>}${string}${End<Name>}`>
  | SameLetters<Name, Names>
type SameLetters<Name extends string, Names extends string> = Names extends unknown
  ? Lowercase<Names> extends Lowercase<Name>
    ? Names
    : never
  : never

/** One member of a union: which one, the compiler decides, always the same in one program. */
type OneOf<Union> = (Union extends unknown ? (one: () => Union) => void : never) extends (one: infer All) => void
  ? All extends () => infer Last
    ? Last
    : never
  : never

type Best<Name extends string, Names extends string> = [Alike<Name, Names>] extends [never]
  ? [Extract<Names, `${Start<Name>}${string}`>] extends [never]
    ? Extract<Names, `${string}${End<Name>}`>
    : Extract<Names, `${Start<Name>}${string}`>
  : Alike<Name, Names>

/** `; nearest: 'customerName'`, or nothing if none is alike. */
export type NearestHint<Name extends string, Names extends string> = [Best<Name, Names>] extends [never]
  ? ''
  : `; nearest: '${OneOf<Best<Name, Names>> & string}'`

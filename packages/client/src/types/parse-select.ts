// Reads the text of a select at compile time, as the service does at run time. The answer is a union of items: the
// order of names is of no importance, and several items of one name are merged.

/** A selected name: its form (`C` the code, `T` its text, `CT` both), and the items inside it. */
export interface Item<Name extends string = string, Form extends string = string, Inside = unknown> {
  readonly name: Name
  readonly form: Form
  readonly inside: Inside
}

/** All that is answered without a select. */
export type Everything = Item<'*', 'C', never>

/** What is wrong with the text. */
export interface SyntaxFault<Message extends string> {
  readonly fault: Message
}

type Space = ' ' | '\n' | '\t'
type Trim<Text extends string> = Text extends `${Space}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${Space}`
    ? Trim<Rest>
    : Text

type Until<Text extends string, Mark extends string> = Text extends `${infer Start}${Mark}${string}` ? Start : Text
/** The text up to the first mark. */
type Word<Text extends string> = Until<Until<Until<Until<Until<Text, ','>, ')'>, '('>, '['>, '/'>
type After<Text extends string, Start extends string> = Text extends `${Start}${infer Rest}` ? Trim<Rest> : ''

type Forms<Text extends string> =
  Uppercase<Trim<Text>> extends 'T'
    ? 'T'
    : Uppercase<Trim<Text>> extends 'C;T' | 'C; T' | 'C ;T' | 'C ; T'
      ? 'CT'
      : never

/** The items of a whole text, or its fault. */
export type ParseSelect<Text extends string> =
  List<Trim<Text>, never, [1]> extends infer Read
    ? Read extends { readonly items: infer Items; readonly rest: infer Rest }
      ? Rest extends ''
        ? Items
        : SyntaxFault<`unexpected '${Rest & string}'`>
      : Read
    : never

/** Reads items up to the end or a closing parenthesis. `Depth` is as long as the nesting is deep. */
type List<Text extends string, Items, Depth extends readonly unknown[]> = Depth['length'] extends 7
  ? SyntaxFault<'nested deeper than 6'>
  : Trim<Word<Text>> extends infer Name extends string
    ? Name extends ''
      ? SyntaxFault<`a property is missing before '${Text}'`>
      : Marked<After<Text, Word<Text>>, Name, Items, Depth>
    : never

/** Reads the form behind a name. */
type Marked<
  Text extends string,
  Name extends string,
  Items,
  Depth extends readonly unknown[],
> = Text extends `[${infer Form}]${infer Rest}`
  ? [Forms<Form>] extends [never]
    ? SyntaxFault<`'[${Form}]' of '${Name}' is neither [T] nor [C;T]`>
    : Inner<Trim<Rest>, Name, Forms<Form>, Items, Depth>
  : Inner<Text, Name, 'C', Items, Depth>

/** Reads what is inside a name: in parentheses, or behind a slash. */
type Inner<
  Text extends string,
  Name extends string,
  Form extends string,
  Items,
  Depth extends readonly unknown[],
> = Text extends `(${infer Rest}`
  ? List<Trim<Rest>, never, [...Depth, 1]> extends infer Read
    ? Read extends { readonly items: infer Inside; readonly rest: infer Behind extends string }
      ? Behind extends `)${infer After}`
        ? Next<Trim<After>, Items | Item<Name, Form, Inside>, Depth>
        : SyntaxFault<`')' is missing behind '${Name}('`>
      : Read
    : never
  : Text extends `/${infer Rest}`
    ? One<Trim<Rest>, [...Depth, 1]> extends infer Read
      ? Read extends { readonly items: infer Inside; readonly rest: infer Behind extends string }
        ? Next<Behind, Items | Item<Name, Form, Inside>, Depth>
        : Read
      : never
    : Next<Text, Items | Item<Name, Form, Everything>, Depth>

/** Reads a single item, behind a slash. */
type One<Text extends string, Depth extends readonly unknown[]> =
  Until<Until<Text, ','>, ')'> extends infer Own extends string
    ? List<Trim<Own>, never, Depth> extends infer Read
      ? Read extends { readonly items: infer Items; readonly rest: '' }
        ? { readonly items: Items; readonly rest: After<Text, Own> }
        : Read
      : never
    : never

type Next<Text extends string, Items, Depth extends readonly unknown[]> = Text extends `,${infer Rest}`
  ? List<Trim<Rest>, Items, Depth>
  : { readonly items: Items; readonly rest: Text }

// The grammar of query options: what is legal and supported is parsed, what is legal and not supported is 501 with its
// name, and all else is 400 with the position.
import { expect, it } from 'vitest'
import { outcomeOf, refusalOf } from '../support/odata/abnf-cases.ts'

const LEGAL = [
  ['filter', "$filter=name eq 'Ada'"],
  ['filter', "FILTER=name eq 'Ada'"],
  ['filter', "$filter=name eq 'O''Neil %26 Co'"],
  ['filter', "$filter=contains( name , 'a' ) and not startswith(city,'B') or (zip ge 4.5)"],
  ['filter', '$filter=((a eq 1))'],
  ['filter', '$filter=not (a eq 1)'],
  ['filter', '$filter=not(a eq 1)'],
  ['filter', "$filter=a in (1,2, 3) and b in ('x')"],
  ['filter', '$filter=a in ()'],
  ['filter', '$filter=at ge 2026-01-31T10:00:00.5%2B01:00 and date(at) lt 2026-02-01'],
  ['filter', '$filter=a/b/c eq null and null ne d'],
  ['filter', '$filter=points/any(p:p/kind eq 1 and p/no eq number)'],
  ['filter', '$filter=group/points/all( p : p/kind eq 1 )'],
  ['filter', '$filter=points/any()'],
  ['filter', '$filter=true'],
  ['filter', '$filter=isOpen'],
  ['filter', "$filter=contains(name,'x') eq false"],
  ['filter', '$filter=length(trim(tolower(name))) gt -3'],
  ['filter', '$filter=amount eq 1e3 or amount eq -0.5'],
  ['filter', '$filter=a	eq	1'],
  ['select', '$select=a,b/c, *'],
  ['orderby', '$orderby=a,b/c desc, d asc'],
  ['expand', '$expand=points,supplier($select=a,b)'],
  ['queryOptions', '$top=0&$skip=10&$count=TRUE&find=anything&$format=json'],
  ['queryOptions', '$search=blue "green" AND x-1'],
  ['queryOptions', '$search=(blue green) AND'],
  ['queryOptions', '$apply=groupby((a,b/c),aggregate(x with sum as total,$count as n))'],
  ['queryOptions', "$apply=filter(a eq 'x')/groupby((a))/filter(a ne 'y')"],
  ['queryOptions', '$apply=aggregate(x with countdistinct as n, x/y with average as m)'],
] as const

it.each(LEGAL)('parses what the rule %s allows: %s', (Rule, Input) => {
  expect(outcomeOf({ Name: '', Rule, Input })).toBe('parsed')
})

const WRONG = [
  ['filter', '$filter=name eq', "Syntax error at position 7: expected a blank after 'eq', found the end ($filter)"],
  ['filter', "$filter=name eq'x'", 'Syntax error at position 4: expected the end, found a blank ($filter)'],
  ['filter', '$filter=name EQ 1', 'Syntax error at position 4: expected the end, found a blank ($filter)'],
  ['filter', '$filter= name eq 1', 'Syntax error at position 0: expected a value, found a blank ($filter)'],
  ['filter', '$filter=(name eq 1', "Syntax error at position 10: expected ')', found the end ($filter)"],
  ['filter', "$filter=name eq 'O'Neil'", "Syntax error at position 11: expected the end, found 'Neil'' ($filter)"],
  ['filter', "$filter=name eq 'O", 'Syntax error at position 8: the string has no closing quote'],
  [
    'filter',
    '$filter=a eq 1 and',
    "Syntax error at position 10: expected a blank after 'and', found the end ($filter)",
  ],
  ['filter', '$filter=a eq 1 or or b', "Syntax error at position 10: expected a value, found 'or' ($filter)"],
  ['filter', '$filter=a in 1', 'Not supported: a collection after in at position 5 of $filter.'],
  ['filter', '$filter=a in (1,)', "Syntax error at position 8: expected a literal, found ')' ($filter)"],
  ['filter', '$filter=a lt 2026-01-31T10:00:00', 'Syntax error at position 5: a date-time ends with its offset'],
  ['filter', '$filter=points/all()', "Syntax error at position 11: expected a variable, found ')' ($filter)"],
  ['filter', '$filter=points/any(p p/a eq 1)', "Syntax error at position 13: expected ':', found 'p' ($filter)"],
  ['filter', '$filter=any(p:p/a eq 1)', "Syntax error at position 3: expected the path of a list before '/any'"],
  ['filter', `$filter=${'('.repeat(70)}a eq 1`, 'Syntax error at position 64: nesting is deeper than 64 levels'],
  ['filter', `$filter=${'a eq 1 or '.repeat(300)}a eq 1`, 'more than 500 parts'],
  ['filter', `$filter=name eq '${'x'.repeat(9_000)}'`, 'the text is longer than 8000 characters'],
  ['filter', `$filter=${'a/any(x:'.repeat(3)}b eq 1)))`, 'any and all are nested deeper than 2 levels'],
  ['select', '$select=a,,b', "Syntax error at position 2: expected a property, found ',' ($select)"],
  ['select', '$select=a b', "Syntax error at position 2: expected the end, found 'b' ($select)"],
  ['orderby', '$orderby=a down', "Syntax error at position 2: expected the end, found 'down' ($orderby)"],
  ['expand', '$expand=a(select)', "expected an option, such as $select=, found 'select'"],
  ['expand', '$expand=a($select=b', "Syntax error at position 11: expected ')', found the end ($expand)"],
  ['queryOptions', '$top=-1', "The value '-1' is not valid for $top"],
  ['queryOptions', '$skip=one', "The value 'one' is not valid for $skip"],
  ['queryOptions', '$count=1', "The value '1' is not valid for $count"],
  ['queryOptions', '$top=1&top=2', "The query option '$top' is given more than once."],
  ['queryOptions', '$filter=', "The query option '$filter' is empty."],
  ['queryOptions', '$inlinecount=allpages', "Unknown query option '$inlinecount'."],
  ['queryOptions', '$search="blue', 'Syntax error at position 0: expected a word or a phrase in double quotes'],
  ['queryOptions', '$search=(blue', "Syntax error at position 5: expected ')', found the end ($search)"],
  ['queryOptions', '$apply=aggregate(x as total)', 'Syntax error at position 15: expected with and a method'],
  ['queryOptions', '$apply=aggregate(x with sum)', "Syntax error at position 20: expected 'as' and a name"],
  ['queryOptions', '$apply=groupby(a)', "Syntax error at position 8: expected '(', found 'a' ($apply)"],
] as const

it.each(WRONG)('refuses what the rule %s forbids: %s', (Rule, Input, message) => {
  const { status, text } = refusalOf({ Name: '', Rule, Input })
  expect(text).toContain(message)
  expect(status).toBe(message.startsWith('Not supported') ? 501 : 400)
})

const UNSUPPORTED = [
  ['filter', '$filter=price add 2 eq 5', 'the operator add'],
  ['filter', '$filter=5 eq price mul 2', 'the operator mul'],
  ['filter', '$filter=-price eq 5', 'the negation of a value'],
  ['filter', "$filter=style has Sales.Pattern'Yellow'", 'the operator has'],
  ['filter', "$filter=style eq Sales.Pattern'Yellow'", "the literal Sales.Pattern'...'"],
  ['filter', "$filter=indexof(name,'x') eq 1", 'the function indexof'],
  ['filter', '$filter=Sales.best(name) eq 1', 'a qualified name'],
  ['filter', '$filter=name eq @p', 'a parameter alias or annotation'],
  ['filter', '$filter=$it/name eq 1', 'a path that begins with $'],
  ['filter', '$filter=points/$ref eq 1', 'a path with $'],
  ['filter', '$filter=a/Sales.Type/b eq 1', 'a qualified name'],
  ['filter', "$filter=points('1')/b eq 1", 'the function points'],
  ['filter', '$filter=[1,2] eq a', 'an array or object in JSON'],
  ['filter', '$filter=id eq 00000000-0000-0000-0000-000000000001', 'a GUID'],
  ['filter', '$filter=at eq 12:30:00', 'a time of day'],
  ['filter', "$filter=a eq duration'P1D'", "the literal duration'...'"],
  ['filter', '$filter=a eq INF', 'the number INF'],
  ['filter', '$filter=(a eq 1) eq true', 'a condition as a value'],
  ['orderby', '$orderby=length(a) desc', 'an expression that is no path'],
  ['orderby', '$orderby=a eq 1', 'an expression that is no path'],
  ['select', '$select=Sales.Type/a', 'a qualified name'],
  ['select', '$select=a($select=b)', 'the function or key of a'],
  ['expand', '$expand=*', '* instead of names'],
  ['expand', '$expand=points/$ref', 'a path after points'],
  ['expand', '$expand=points($filter=a eq 1)', 'the option $filter in parentheses'],
  ['queryOptions', '$compute=a add b as c', 'the query option $compute'],
  ['queryOptions', '@p=1', 'the parameter alias @p'],
  ['queryOptions', '$search=blue OR green', 'OR'],
  ['queryOptions', '$search=NOT blue', 'NOT'],
  ['queryOptions', '$apply=filter(a eq 1)', 'filter without groupby or aggregate'],
  ['queryOptions', '$apply=compute(a add b as c)', 'the transformation compute'],
  ['queryOptions', '$apply=groupby((rollup($all,a)))', 'rollup'],
  ['queryOptions', '$apply=aggregate(x with Custom.median as m)', 'a custom method'],
  ['queryOptions', '$apply=aggregate(x with median as m)', 'the method median'],
  ['queryOptions', '$apply=groupby((a))/groupby((a))', 'another step behind groupby'],
] as const

it.each(UNSUPPORTED)('answers 501 and the name of what is not supported: %s: %s', (Rule, Input, name) => {
  const { status, text } = refusalOf({ Name: '', Rule, Input })
  expect(text).toMatch(/^Not supported: /)
  expect(text).toContain(name)
  expect(status).toBe(501)
})

// What the metadata of a company declare, for requests that name entity sets and their properties.
import type { World } from '../../world.ts'

export interface DeclaredProperty {
  /** With `/` between the parts, as in a filter. */
  readonly path: string
  /** Such as `Edm.String`. */
  readonly type: string
  readonly isFilterable: boolean
  readonly isSortable: boolean
}

export interface DeclaredSet {
  readonly name: string
  /** Names of properties, in their order. */
  readonly key: readonly string[]
  readonly properties: readonly DeclaredProperty[]
  /** The entity sets that navigation properties lead to, by the names of these. */
  readonly lists: ReadonlyMap<string, string>
  readonly associations: ReadonlyMap<string, string>
}

export type DeclaredSets = ReadonlyMap<string, DeclaredSet>

/** A member of a type in CSDL JSON. */
interface Member {
  readonly $Kind?: string
  readonly $Type?: string
  readonly $Collection?: boolean
}

type Type = Readonly<Record<string, unknown>>

const NAMESPACE = 'Tabularium'
const CAPABILITIES = '@Org.OData.Capabilities.V1'

const known = new WeakMap<World, Promise<DeclaredSets>>()

/** Those of the company EN for a caller who may see all of them, read once. */
export function declaredSets(world: World): Promise<DeclaredSets> {
  const sets = known.get(world) ?? readSets(world)
  known.set(world, sets)
  return sets
}

async function readSets(world: World): Promise<DeclaredSets> {
  const { json } = await world.send({ as: 'integration', url: '/odata/v4/EN/$metadata?$format=json' })
  const types = json[NAMESPACE] as Readonly<Record<string, Type>>
  const { $Kind: _kind, ...container } = types.Container ?? {}
  const sets = Object.entries(container).map(([name, restrictions]) => setOf(types, name, restrictions as Type))
  return new Map(sets.map((set) => [set.name, set]))
}

function setOf(types: Readonly<Record<string, Type>>, name: string, restrictions: Type): DeclaredSet {
  const type = types[name] ?? {}
  const [unfilterable, unsortable] = [
    pathsIn(restrictions, 'FilterRestrictions', 'NonFilterableProperties'),
    pathsIn(restrictions, 'SortRestrictions', 'NonSortableProperties'),
  ]
  const properties = propertiesIn(types, type, '').map(({ path, type: declared }) => ({
    path,
    type: declared,
    isFilterable: !unfilterable.includes(path),
    isSortable: !unsortable.includes(path),
  }))
  const navigation = (isCollection: boolean) =>
    membersOf(type).flatMap(([member, { $Kind, $Type = '', $Collection = false }]): [string, string][] =>
      $Kind === 'NavigationProperty' && $Collection === isCollection ? [[member, nameIn($Type)]] : [],
    )
  return {
    name,
    key: type.$Key as string[],
    properties,
    lists: new Map(navigation(true)),
    associations: new Map(navigation(false)),
  }
}

function propertiesIn(
  types: Readonly<Record<string, Type>>,
  type: Type,
  above: string,
): { path: string; type: string }[] {
  return membersOf(type).flatMap(([name, { $Kind, $Type = 'Edm.String' }]) => {
    if ($Kind === 'NavigationProperty') return []
    const inner = $Type.startsWith('Edm.') ? undefined : types[nameIn($Type)]
    return inner ? propertiesIn(types, inner, `${above}${name}/`) : [{ path: above + name, type: $Type }]
  })
}

function membersOf(type: Type): [string, Member][] {
  return Object.entries(type).filter(([name]) => !/^[$@]/.test(name)) as [string, Member][]
}

function pathsIn(restrictions: Type, term: string, property: string): readonly string[] {
  const found = restrictions[`${CAPABILITIES}.${term}`] as Readonly<Record<string, readonly string[]>> | undefined
  return found?.[property] ?? []
}

function nameIn(type: string): string {
  return type.slice(NAMESPACE.length + 1)
}

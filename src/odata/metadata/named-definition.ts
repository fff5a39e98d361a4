// A document under the names that OData allows: the same definition with other keys, so that binder, plans and
// compilers need no second table of names.
import { memo } from '../../base/memo.ts'
import { type DocumentDefinition, isLines, type Properties, type Property, withDocument } from '../../model/document.ts'
import type { NamedDocument, Navigation, ODataProperties, ODataProperty } from './entity-set.ts'

/** The same object for the same definition. */
export const named = memo((definition: DocumentDefinition): NamedDocument => {
  const { names, ...inside } = namedProperties(definition.properties)
  const { validity } = definition
  const nameOf = (name: string) => names.get(name) ?? name
  return {
    ...inside,
    definition: {
      ...definition,
      properties: inside.definition,
      key: keyWithoutCompany(definition).map(nameOf),
      ...(validity ? { validity: { ...validity, from: nameOf(validity.from), to: nameOf(validity.to) } } : {}),
    },
  }
})

/** The company is in the path. */
function keyWithoutCompany({ key, properties, companyColumn }: DocumentDefinition): readonly string[] {
  const rest = key.filter((name) => {
    const property = properties[name]
    return property?.kind !== 'value' || !('column' in property.source) || property.source.column !== companyColumn
  })
  return rest.length > 0 ? rest : key
}

interface NamedProperties {
  readonly definition: Properties
  readonly properties: ODataProperties
  readonly navigation: ReadonlyMap<string, Navigation>
  /** By their names in the service. */
  readonly names: ReadonlyMap<string, string>
}

function namedProperties(original: Properties): NamedProperties {
  const identifiers = new Identifiers()
  const names = new Map(Object.keys(original).map((name) => [name, identifiers.take(name)]))
  const definition: Record<string, Property> = {}
  const properties = new Map<string, ODataProperty>()
  const navigation = new Map<string, Navigation>()
  for (const [ownName, property] of Object.entries(original)) {
    const name = names.get(ownName) ?? ownName
    switch (property.kind) {
      case 'value':
        definition[name] = property
        properties.set(name, { kind: 'value', property })
        if (property.codes) properties.set(identifiers.take(`${name}_text`), { kind: 'text', property })
        break
      case 'group': {
        const inside = namedProperties(property.properties)
        definition[name] = { ...property, properties: inside.definition }
        properties.set(name, { kind: 'group', property, properties: inside.properties })
        break
      }
      case 'list': {
        if (isLines(property)) {
          const lines = withDocument(property, (document) => named(document).definition)
          definition[name] = lines
          navigation.set(name, {
            property: lines,
            get properties() {
              return named(property.from.document).properties
            },
          })
          break
        }
        const inside = namedProperties(property.properties)
        const list = { ...property, properties: inside.definition }
        definition[name] = list
        navigation.set(name, { property: list, properties: inside.properties })
        break
      }
      case 'association': {
        // When it is asked for, because associations may lead back here.
        const association = {
          ...property,
          get document() {
            return named(property.document).definition
          },
        }
        definition[name] = association
        navigation.set(name, {
          property: association,
          get properties() {
            return named(property.document).properties
          },
        })
      }
    }
  }
  return { definition, properties, navigation, names }
}

// Names of the model that OData has no other way to write: its identifiers are letters, digits and underscores.

const NO_PART = /[^\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}_]/gu
const START = /^[\p{L}\p{Nl}_]/u
/** Longer identifiers are not legal; a suffix must fit, too. */
const LONGEST = 120

/** The name as an identifier: what cannot stand in one is an underscore. */
function identifier(name: string): string {
  const legal = name.replace(NO_PART, '_').slice(0, LONGEST)
  return START.test(legal) ? legal : `_${legal}`
}

/** Identifiers that are used once: a later one gets a number behind it, so the order of the names decides. */
export class Identifiers {
  readonly #used = new Set<string>()

  take(name: string): string {
    const wanted = identifier(name)
    let unique = wanted
    for (let number = 2; this.#used.has(unique.toLowerCase()); number++) unique = `${wanted}_${number}`
    this.#used.add(unique.toLowerCase())
    return unique
  }
}

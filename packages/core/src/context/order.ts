import type { ContextItem } from '../api/chat-context.js'
import { isSame } from './items.js'

/** Where an item of the time `at` belongs: behind the last that is not later. One without a time belongs to the end. */
export function placeOf(items: readonly ContextItem[], at: number | undefined): number {
  if (at === undefined) return items.length
  let place = 0
  let known = Number.NEGATIVE_INFINITY
  for (const [index, item] of items.entries()) {
    // whose time nobody knows belongs to the one before it
    known = item.at ?? known
    if (known <= at) place = index + 1
  }
  return place
}

/** Items of `others` that are none of `own`, under names that are free, and the time by which each finds its place. */
export function newcomers(
  own: readonly ContextItem[],
  others: readonly ContextItem[],
): { readonly item: ContextItem; readonly at: number | undefined }[] {
  const known = new Map(own.map((item) => [item.id, item]))
  const names = namesFor(known, others)
  let at: number | undefined
  return others.flatMap((item) => {
    // an item without a time goes where the one before it goes
    at = item.at ?? at
    if (known.has(item.id) && !names.ids.has(item.id)) return []
    return [{ item: Object.freeze(renamed(item, names)), at }]
  })
}

interface Names {
  readonly ids: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, string>
}

/**
 * New names for what is called like something else. Where that happens the items are from another session, whose groups of
 * calls are not those of this one either.
 */
function namesFor(known: ReadonlyMap<string, ContextItem>, others: readonly ContextItem[]): Names {
  const used = new Set(
    [...known.values(), ...others].flatMap((item) => (item.type === 'call' ? [item.id, item.group] : item.id)),
  )
  const freeName = (name: string): [string, string] => {
    let number = 2
    while (used.has(`${name}~${number}`)) number += 1
    return [name, `${name}~${number}`]
  }
  const namesakes = others.filter((item) => {
    const namesake = known.get(item.id)
    return namesake !== undefined && !isSame(namesake, item)
  })
  const calls = others.flatMap((item) => (item.type === 'call' && namesakes.length > 0 ? [item.group] : []))
  return { ids: new Map(namesakes.map(({ id }) => freeName(id))), groups: new Map(calls.map(freeName)) }
}

function renamed(item: ContextItem, { ids, groups }: Names): ContextItem {
  const id = ids.get(item.id) ?? item.id
  if (item.type === 'call') return { ...item, id, group: groups.get(item.group) ?? item.group }
  return item.type === 'output' ? { ...item, id, call: ids.get(item.call) ?? item.call } : { ...item, id }
}

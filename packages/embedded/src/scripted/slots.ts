/** What was found in the caller's words. */
export interface Slots {
  /** Written out, as `jane.miller@example.com`, also when it was said in words. */
  readonly email?: string
  readonly name?: string
  readonly day?: string
  readonly time?: string
  /** Of people, tickets … */
  readonly count?: number
}

const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/
const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Finds what a form might ask for. `known`: what was found before, and may be corrected. */
export function findSlots(text: string, known: Slots = {}): Slots {
  const email = findEmail(text) ?? correctEmail(text, known.email)
  const name = /\b(?:[Mm]y name is|[Tt]his is|I'm|I am) ([A-Z][\p{L}'-]+(?: [A-Z][\p{L}'-]+)?)/u.exec(text)?.[1]
  const day = /\b(?:today|tonight|tomorrow|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i.exec(text)?.[0]
  const time =
    /\b\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\b\d{1,2}:\d\d\b|\b(?:half past|quarter past|quarter to) \w+/i.exec(
      text,
    )?.[0]
  const count = new RegExp(`\\b(\\d+|${NUMBERS.join('|')}) (?:people|persons|guests|tickets|seats)\\b`, 'i').exec(
    text,
  )?.[1]
  return {
    ...(email && { email }),
    ...(name && { name }),
    ...(day && { day }),
    ...(time && { time }),
    ...(count && {
      count: NUMBERS.includes(count.toLowerCase()) ? NUMBERS.indexOf(count.toLowerCase()) : Number(count),
    }),
  }
}

/** An address as recognisers write it: ready, in words (`jane dot miller at example dot com`), or half of each. */
function findEmail(text: string): string | undefined {
  const ready = ADDRESS.exec(text)?.[0]
  if (ready && !/\bdot\b/i.test(text)) return tidy(ready)
  const joined = text
    .replace(/,/g, '')
    .replace(/\s+(?:dot|point|period)\s+/gi, '.')
    .replace(/\s+(?:underscore)\s+/gi, '_')
    .replace(/\s+(?:dash|hyphen|minus)\s+/gi, '-')
    .replace(/(?<!\b(?:no|not|me|us|it|is))\s+(?:at|@)\s+(?=[\w-]+\.\w)/gi, '@')
  const found = ADDRESS.exec(joined)?.[0]
  return found && tidy(found)
}

/** An ending that was heard wrong and is said again: "no, it is dot org", "no, example.org". */
function correctEmail(text: string, known: string | undefined): string | undefined {
  const ending = /(?:\bdot\s+|\w\.)([a-z]{2,})\W*$/i.exec(text)?.[1]
  const isCorrection = /\b(?:no|not|wrong|sorry|said)\b/i.test(text)
  return known && ending && isCorrection ? known.replace(/[^.]+$/, ending.toLowerCase()) : undefined
}

const tidy = (address: string) => address.toLowerCase().replace(/[.-]+$/, '')

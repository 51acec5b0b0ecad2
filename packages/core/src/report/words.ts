/** A time or a duration to read: `12.4 s`, `3.37 s`. */
export function seconds(ms: number): string {
  const [whole, part = ''] = (Math.round(ms / 10) / 100).toString().split('.')
  return `${whole}.${part || '0'} s`
}

export const quote = (text: string): string => JSON.stringify(text)

/** Clauses in a row: `a`, `a, then b`. What is waited for after waiting needs no second "waiting". */
export function inTurn(clauses: readonly string[]): string {
  return clauses
    .map((clause, index) => {
      const again = clause.startsWith('waiting ') && clauses[index - 1]?.startsWith('waiting ')
      return again ? clause.slice('waiting '.length) : clause
    })
    .join(', then ')
}

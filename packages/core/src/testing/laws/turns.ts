import { closingSince, type Evidence, inputs, itemsOf, ms, quote } from './evidence.js'

/** L1: each committed turn has a reply, or there is a reason why not. */
export function answered(evidence: Evidence): string[] {
  const { history, atRest, endedAt } = evidence
  if (!atRest || endedAt !== null || closingSince(evidence) !== null) return []
  return itemsOf(evidence, 'user').flatMap((item) => {
    const after = history.slice(history.indexOf(item) + 1)
    if (after.some(({ type }) => type === 'assistant' || type === 'call' || type === 'user')) return []
    if (excused(evidence, item.at)) return []
    return [`the user said ${quote(item.text)} (committed at ${ms(item.at)}); nobody answered, and there is no reason`]
  })
}

/** Something happened since `at` because of which there is no answer. */
function excused(evidence: Evidence, at: number): boolean {
  const since = <T extends { readonly at: number }>(entries: readonly T[]): readonly T[] =>
    entries.filter((entry) => entry.at >= at)
  const calls = new Set(inputs(evidence, 'model-call').map(({ input }) => input.call))
  const answering = [...inputs(evidence, 'model-text'), ...inputs(evidence, 'model-call')]
  const spoke = new Set(answering.map(({ input }) => input.generation))
  return (
    since(inputs(evidence, 'turn-commit')).some(({ input }) => !input.reply) ||
    since(inputs(evidence, 'turn-pass')).some(({ input }) => !input.reply) ||
    // a hook stopped it
    since(inputs(evidence, 'call-end')).some(({ input }) => !calls.has(input.call)) ||
    // the model failed, or had nothing to say
    since(inputs(evidence, 'model-end')).some(({ input }) => input.error || !spoke.has(input.generation)) ||
    since(inputs(evidence, 'voice-end')).some(({ input }) => input.error) ||
    since(inputs(evidence, 'interrupt')).length > 0
  )
}

/** L8: each word that was recognised stands in the history once, or there is a reason why not. */
export function everyWord(evidence: Evidence): string[] {
  const heard = heardWords(evidence)
  const kept = countsOf([...itemsOf(evidence, 'user'), ...itemsOf(evidence, 'overheard')].map(({ text }) => text))
  const edited = inputs(evidence, 'turn-pass').map(({ input }) => input.text)
  const maybe = countsOf([...edited, ...pendingWords(evidence), ...interims(evidence)])
  const lost = differences(heard, kept, countsOf([...pendingWords(evidence), ...rewritten(evidence)]))
  const doubled = differences(kept, heard, maybe)
  return [
    ...(lost.length > 0 ? [`words of the user's are in no turn: ${quote(lost.join(' '))}`] : []),
    ...(doubled.length > 0
      ? [`words are in the history that the user did not say, or said once: ${quote(doubled.join(' '))}`]
      : []),
  ]
}

function heardWords(evidence: Evidence): Map<string, number> {
  const { log } = evidence
  const texts = log.flatMap(({ input }) => {
    if (input.type === 'user-transcript') return input.final ? [input.text] : []
    if (input.type === 'user-text') return [input.text]
    if (input.type === 'reply') return [input.userInput ?? '']
    return input.type === 'turn-commit' ? [input.text ?? ''] : []
  })
  return countsOf(texts)
}

/** What was said in turns that a hook has let pass as something else. */
function rewritten(evidence: Evidence): string[] {
  const recorded = itemsOf(evidence, 'user').map(({ at }) => at)
  return inputs(evidence, 'turn-pass').flatMap((pass) => {
    const since = Math.max(Number.NEGATIVE_INFINITY, ...recorded.filter((at) => at < pass.at))
    const said = inputs(evidence, 'user-transcript')
      .filter(({ at, input }) => input.final && at > since && at <= pass.at)
      .map(({ input }) => input.text)
    return said.join(' ') === pass.input.text ? [] : [...said, pass.input.text]
  })
}

/** Words of a turn that is not over yet. */
function pendingWords(evidence: Evidence): string[] {
  if (evidence.endedAt !== null) return []
  const last = Math.max(0, ...itemsOf(evidence, 'user').map(({ at }) => at))
  return inputs(evidence, 'user-transcript').flatMap(({ at, input }) => (at >= last ? [input.text] : []))
}

const interims = (evidence: Evidence): string[] =>
  inputs(evidence, 'user-transcript').flatMap(({ input }) => (input.final ? [] : [input.text]))

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of texts.flatMap((text) => text.trim().split(/\s+/)).filter(Boolean))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** What there is more of in `these` than in `those`, save what may be missing. */
function differences(these: Map<string, number>, those: Map<string, number>, maybe: Map<string, number>): string[] {
  return [...these].flatMap(([word, count]) => {
    const more = count - (those.get(word) ?? 0) - (maybe.get(word) ?? 0)
    return more > 0 ? [word] : []
  })
}

import { type Cut, cutReplies } from './cut.js'
import { clearFailures } from './failures.js'
import { learnPause } from './pace.js'
import type { TurnEnd, UserInput } from './protocol.js'
import type { Turn } from './state.js'
import type { Step } from './step.js'
import { countWords, join } from './words.js'

export function userSpeechStarted(step: Step, at: number): void {
  const { user, settings } = step.state
  learnPause(step, Math.min(at, step.now))
  user.speaking = true
  user.onset = Math.min(at, step.now)
  user.voiced = 0
  user.verdict = null
  user.inferred = false
  user.taken = null
  user.away = false
  user.lastSound = step.now
  openTurn(step).wordless = false
  if (settings.turns === 'model') cutReplies(step, byUser(step))
}

export function userSpeechProgressed(step: Step, voiced: number): void {
  const { user } = step.state
  if (!user.speaking) return
  user.voiced = Math.max(user.voiced, voiced)
  user.taken = null
  user.lastSound = step.now
}

export function userSpeechEnded(step: Step, silence: number): void {
  const { user } = step.state
  if (!user.speaking) return
  user.speaking = false
  user.lastSound = Math.max(user.onset ?? 0, step.now - Math.max(0, silence))
  user.quietSince = step.now
}

export function userTranscribed(step: Step, input: Extract<UserInput, { type: 'user-transcript' }>): void {
  const { user } = step.state
  const known = user.taken && step.now < user.taken.until ? user.taken.text : ''
  const text = newWords(input.text, known)
  if (text === '') {
    if (input.final && user.turn) Object.assign(user.turn, { interim: '', wordless: true })
    return
  }
  step.emit({ type: 'user-transcript', text, final: input.final })
  clearFailures(step, 'stt')
  user.away = false
  step.state.idleSince = null
  const turn = openTurn(step)
  if (input.final) {
    turn.text = join(turn.text, text)
    user.tally = { words: user.tally.words + countWords(text), since: user.tally.since ?? user.onset ?? step.now }
    take(step, input.text.trim())
  }
  turn.interim = input.final ? '' : text
  turn.heardAt = step.now
  turn.over = step.state.speeches.length > 0 && !step.clearing
  if (input.final || step.interruption.words === 'interim') turn.lastWords = step.now
  if (input.final && turn.commit) turn.commit = { ...turn.commit, deadline: step.now }
  if (user.inferred) Object.assign(user, { verdict: null, inferred: false })
}

/** What a transcript adds to what is known: recognisers repeat themselves, and finals repeat interims. */
function newWords(text: string, known: string): string {
  const words = text.trim().split(/\s+/)
  const before = known === '' ? [] : known.split(/\s+/)
  const differs = words.findIndex((word, i) => bare(word) !== bare(before[i]))
  return differs < 0 ? '' : words.slice(differs).join(' ')
}

/** ms for which a recogniser may repeat itself. */
const echoOfWords = 2_000

export function take(step: Step, text: string): void {
  step.state.user.taken = { text, until: step.now + echoOfWords }
}

const bare = (word: string | undefined): string => (word ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The application takes the floor for the user, or gives it back. */
export function userClaimed(step: Step, on: boolean): void {
  const { user } = step.state
  if (user.claims === 1 && !on) Object.assign(user, { lastSound: step.now, quietSince: step.now })
  user.claims = Math.max(0, user.claims + (on ? 1 : -1))
  user.away = false
}

export function userOverlapJudged(step: Step, verdict: 'backchannel' | 'interruption'): void {
  const { audible } = step
  const early = audible?.startedAt != null && step.now - audible.startedAt < step.interruption.backchannelBoundary
  if (verdict === 'backchannel' && early) return
  Object.assign(step.state.user, { verdict, inferred: false })
}

/** Somebody says that the turn is over. Words that are still on their way are waited for. */
export function turnCommitted(step: Step, text: string | null, reply: boolean): void {
  const { settings } = step.state
  const turn = openTurn(step)
  if (text !== null) Object.assign(turn, { text, interim: '' })
  const pending = text === null && settings.transcribes && (turn.text === '' || wordsPending(step, turn))
  const { transcriptTimeout } = step.endpointing
  turn.commit = { reply, deadline: pending ? step.now + transcriptTimeout : step.now }
  if (pending) step.do({ type: 'flush-transcript' })
}

/** ms for which final words speak for a voice of which the end has not been reported yet. */
const fresh = 500

/** More words of what was said are still on their way. */
export function wordsPending(step: Step, turn: Turn): boolean {
  const { user } = step.state
  const known = turn.text !== '' && turn.lastWords !== null && step.now - turn.lastWords <= fresh
  return turn.interim !== '' || (user.speaking && !known)
}

export function turnCleared(step: Step): void {
  const { turn } = step.state.user
  if (turn) letGo(step, turn, 'cleared')
}

/** What the user's words cut: everything that had begun when they were last heard. */
export function byUser(step: Step): Cut {
  return { by: 'user', before: step.state.user.turn?.lastWords ?? step.now, force: false }
}

export function openTurn(step: Step): Turn {
  const { user } = step.state
  if (user.turn) return user.turn
  user.turn = {
    id: step.id('t'),
    since: step.now,
    text: '',
    interim: '',
    prediction: null,
    guesses: 0,
    wordless: false,
    over: false,
    heardAt: 0,
    lastWords: null,
    overlaps: false,
    commit: null,
  }
  step.emit({ type: 'user-turn-start', turn: user.turn.id })
  return user.turn
}

/** The turn ends without being anybody's to answer. Its words stay on record. */
export function letGo(step: Step, turn: Turn, reason: Extract<TurnEnd, 'no-words' | 'backchannel' | 'cleared'>): void {
  const text = join(turn.text, turn.interim)
  step.state.user.turn = null
  step.emit({ type: 'user-turn-end', turn: turn.id, text: null, reason })
  if (text === '' || reason === 'no-words') return
  step.state.history.push({ type: 'overheard', id: step.id('o'), at: step.now, text, reason })
}

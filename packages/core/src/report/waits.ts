import type { Cause } from '../api/report.js'
import type { State } from '../conversation/state.js'
import type { Call, Speech } from '../conversation/work.js'
import { SentenceSplitter } from '../speaking/sentences.js'

/** What has to happen before the agent is heard. */
export interface Wait {
  readonly cause: Cause
  /** The same to read: `waiting for the tool register`, or what else was the case. */
  readonly words: string
}

const nothing: Wait = { cause: 'nothing', words: 'nobody had anything to say' }

/** What is waited for, as things stand: the nearest thing that must happen before there is sound. */
export function waitOf(state: State): Wait {
  if (state.phase === 'closing' || state.phase === 'closed') return closing(state)
  const { turn } = state.user
  const spoken = turn !== null && (turn.text !== '' || turn.interim !== '' || turn.commit !== null)
  // a sound that has no words yet is not what work waits for
  const floor = spoken || state.committed.length > 0 || state.user.claims > 0 ? turnWait(state) : null
  return speechWait(state) ?? floor ?? workWait(state) ?? turnWait(state) ?? nothing
}

const waiting = (cause: Cause, what: string): Wait => ({ cause, words: `waiting ${what}` })

function closing({ closing: end }: State): Wait {
  const whatFor = {
    transcript: 'for the last words of the caller',
    tools: 'for the tools that were running',
    exit: 'for the hook exit',
    output: 'for the line',
  }
  return { cause: 'closing', words: `the session was closing${end ? `, waiting ${whatFor[end.phase]}` : ''}` }
}

/** The speech that is to be heard next is held up by whoever makes it sound. */
function speechWait(state: State): Wait | null {
  const [next] = state.speeches
  if (!next) return null
  switch (next.sound) {
    case 'paused':
      return { cause: 'held', words: 'the speech was held' }
    case 'clearing':
      return waiting('line', 'for the line to say what was heard')
    case 'playing':
    case 'ducked':
      return next.voice === 'ended'
        ? waiting('line', 'for the line to play the rest')
        : waiting('voice', 'for more of the sound of the voice')
    case 'queued':
      return queuedWait(state, next)
  }
}

function queuedWait(state: State, next: Speech): Wait | null {
  if (next.voice === 'asked') {
    const early = !next.textEnded && new SentenceSplitter().push(next.text).length === 0
    return early ? waiting('model', "for the model's first sentence") : waiting('voice', "for the voice's first sound")
  }
  const { silentSince, settings, now } = state
  const spaced = silentSince !== null && now < silentSince + settings.minConsecutiveSpeechDelay
  return next.voice === 'none' && spaced ? { cause: 'spacing', words: 'the speeches kept their distance' } : null
}

/** Whether the caller has finished is not known yet, or a hook looks at what they said. */
function turnWait(state: State): Wait | null {
  const { user, settings, committed } = state
  const { turn } = user
  if (committed[0]?.hook) return waiting('hook', 'for the hook userTurn')
  if (user.claims > 0 && hasToSay(state)) return waiting('push-to-talk', 'for the application to give the floor back')
  if (!turn) return null
  if (turn.commit) return waiting('transcript', "for the transcript of the caller's words")
  if (settings.turns === 'manual') return waiting('push-to-talk', "for the application to end the caller's turn")
  if (user.speaking) return waiting('turn-end', 'to see whether the caller had finished')
  if (settings.transcribes && (turn.text === '' || turn.interim !== ''))
    return waiting('transcript', "for the transcript of the caller's words")
  if (turn.prediction && !turn.prediction.answered) return waiting('turn-end', 'for the end-of-turn model')
  return waiting('turn-end', 'to see whether the caller had finished')
}

function hasToSay({ frames, requests, speeches }: State): boolean {
  const owes = frames[frames.length - 1]?.owes
  return (
    requests.length + speeches.length > 0 ||
    (owes !== undefined && (owes.opening || owes.answer || owes.result !== null))
  )
}

/** Something is made or done of which the caller will hear. */
function workWait(state: State): Wait | null {
  const top = state.frames[state.frames.length - 1]
  const making = state.generations.find((generation) => generation.guess === null && !generation.ended)
  const tools = state.calls.filter(
    (call) => call.kind === 'tool' && call.frame === top?.id && !call.released && !call.interrupted,
  )
  if (tools.length > 0 && !(making && !making.said)) return waiting('tool', `for ${named(tools)}`)
  if (making)
    return waiting('model', making.said ? 'for the rest of what the model had to say' : "for the model's first word")
  const hook = state.calls.find(
    (call) => call.id === top?.exit || (call.kind === 'enter' && call.holder === top?.holder),
  )
  return hook ? waiting('hook', `for the hook ${hook.name}`) : null
}

/** `the tool register`, `the tools register and look`. */
export function named(tools: readonly Pick<Call, 'name'>[]): string {
  const names = [...new Set(tools.map(({ name }) => name))]
  const last = names.pop() ?? ''
  return names.length === 0 ? `the tool ${last}` : `the tools ${names.join(', ')} and ${last}`
}

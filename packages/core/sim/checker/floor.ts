import type { Command } from '../../src/conversation/protocol.js'
import type { Playing, SpeechFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { must, rounding } from './must.js'

type SoundCommand = Playing | Extract<Command, { type: 'speak' | 'speak-text' | 'speak-flush' | 'speak-end' }>

/** One voice at a time, and none over the user's. */
export const floor = {
  command(ledger: Ledger, command: Command, step: StepFact): void {
    switch (command.type) {
      case 'speak':
        must(!ledger.speeches.has(command.speech), 'a speech is asked for once')
        return
      case 'speak-text':
      case 'speak-flush':
      case 'speak-end':
        return feeds(ledger, command)
      case 'play':
        return plays(ledger, known(ledger, command))
      case 'pause':
      case 'duck':
        return holds(ledger, command.type, known(ledger, command))
      case 'resume':
      case 'unduck':
        return releases(command.type, known(ledger, command))
      case 'clear':
        return clears(ledger, known(ledger, command), step)
      default:
        return
    }
  },

  after(ledger: Ledger): void {
    writtenOff(ledger)
    oneInState(ledger)
  },
}

function known(ledger: Ledger, { speech }: SoundCommand): SpeechFact {
  const fact = ledger.speeches.get(speech)
  must(fact !== undefined, 'nothing is asked of a speech that nobody was asked to make')
  return fact
}

function feeds(ledger: Ledger, command: SoundCommand): void {
  const speech = known(ledger, command)
  must(speech.sound !== 'clearing' && speech.sound !== 'over', 'no text follows a clear')
  must(!speech.textEnded, 'no text follows the end of a speech')
}

function plays(ledger: Ledger, speech: SpeechFact): void {
  must(speech.sound === 'waiting', 'a speech is played once, and never after a clear')
  must(speech.voice === 'started' || speech.voice === 'ended', 'a speech is played when its first sound is there')
  for (const other of ledger.live.speeches) {
    if (other === speech) continue
    must(other.sound === 'waiting' || gone(ledger, other), 'two speeches are never audible together')
    must(!comesBefore(ledger, other, speech), 'speeches are heard in the order in which they were said', other.id)
  }
  must(
    !ledger.userHolds || !ledger.open || ledger.isProtected(speech.reply),
    'the agent does not begin to speak over the user',
  )
}

/** Whether `other`, which is not heard yet, was said before `speech` by the same agent and is no less urgent. */
function comesBefore(ledger: Ledger, other: SpeechFact, speech: SpeechFact): boolean {
  if (other.sound !== 'waiting' || other.agent !== speech.agent || other.said === null || speech.said === null)
    return false
  const alike = ledger.reply(other.reply).priority === ledger.reply(speech.reply).priority
  return alike && other.said < speech.said
}

/** The line owes the end of it, and has been silent for so long that it counts as given. */
const gone = (ledger: Ledger, speech: SpeechFact): boolean =>
  ledger.now - Math.max(speech.since, speech.cleared ?? 0) > ledger.settings.limits.line - rounding

function holds(ledger: Ledger, how: 'pause' | 'duck', speech: SpeechFact): void {
  const { line } = ledger.settings
  must(how === 'pause' ? line.canPause : line.canDuck, 'a line is asked only for what it can do')
  must(speech.sound === 'playing', 'only what plays is held')
  const { resume, falseInterruptionTimeout } = ledger.interruption
  must(resume && falseInterruptionTimeout !== null, 'nothing is held that would not go on')
  must(!ledger.isProtected(speech.reply), 'a protected speech is not held')
}

function releases(how: 'resume' | 'unduck', speech: SpeechFact): void {
  must(speech.sound === (how === 'resume' ? 'paused' : 'ducked'), 'only what is held is released')
}

function clears(ledger: Ledger, speech: SpeechFact, { input, commands }: StepFact): void {
  must(speech.sound !== 'clearing' && speech.sound !== 'over', 'a speech is cleared once')
  const forced = (input.type === 'interrupt' && input.force) || ledger.phase === 'closing' || ledger.overdue(speech)
  const unwound = commands.some((each) => each.type === 'task-reject')
  must(
    forced || unwound || !ledger.isProtected(speech.reply),
    'a protected speech is cut only by force, by failure, by an unwinding or at the end',
  )
}

/** What was heard of a speech is known when the line says so, or when the line has been silent for too long. */
function writtenOff(ledger: Ledger): void {
  for (const speech of ledger.live.speeches) {
    if (ledger.state.speeches.some((each) => each.id === speech.id)) continue
    const atTheEnd = ledger.phase === 'closing' || ledger.phase === 'closed'
    must(
      speech.sound !== 'waiting' && (atTheEnd || gone(ledger, speech)),
      'a speech that was heard is over when the line says so, or has been silent for too long',
    )
    speech.sound = 'over'
    ledger.live.speeches.delete(speech)
  }
}

function oneInState(ledger: Ledger): void {
  const { speeches } = ledger.state
  for (let i = 1; i < speeches.length; i++) {
    must(speeches[i]!.sound === 'queued', 'only the first speech in the queue has a sound')
  }
  for (const speech of speeches) {
    if (speech.voice === 'none' || ledger.settings.voice === 'none') continue
    must(ledger.speeches.get(speech.id)?.sound !== 'over', 'the state does not keep a speech that is over')
  }
}

import type { Command, Id, Input, ReplySource } from '../../src/conversation/protocol.js'
import { countWords, isBackchannel } from '../../src/conversation/words.js'
import type { GenerationFact, SpeechFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'
import { moment, must } from './must.js'

/** What the agent thinks and says, and who may stop it. */
export class ReplyCheck {
  /** What was under way when the input came in. */
  #speeches: SpeechFact[] = []
  #generations: GenerationFact[] = []
  #backchannel = false

  before(ledger: Ledger, { input }: StepFact): void {
    this.#speeches = [...ledger.live.speeches].filter((speech) => speech.sound !== 'clearing')
    this.#generations = [...ledger.live.generations]
    if (input.type === 'user-overlap') this.#backchannel = input.verdict === 'backchannel'
    if (input.type === 'user-speech-start') this.#backchannel = false
  }

  command(ledger: Ledger, command: Command, step: StepFact): void {
    switch (command.type) {
      case 'generate':
        return asks(ledger, command)
      case 'generate-cancel':
        return stops(ledger, command)
      case 'speak':
        return speaks(ledger, command)
      case 'emit':
        if (command.event.type === 'reply-start') begins(ledger, command.event.source)
        return
      case 'clear':
        return must(
          mayCut(ledger, command.speech, step),
          'nobody cuts the agent short but the user, the application, a failure or an unwinding',
        )
      default:
        return
    }
  }

  after(ledger: Ledger, step: StepFact): void {
    for (const command of step.commands) {
      if (command.type !== 'generate') continue
      stepsAreLimited(ledger, command.generation)
      isEntitled(ledger, command)
    }
    must(thinking(ledger).length <= 1, 'one generation at a time')
    cancelledIsInert(ledger, step)
    this.#yieldsAtOnce(ledger, step)
    repliesEnd(ledger)
    debtsArePaid(ledger)
    floorIsUsed(ledger)
  }

  /** Words that prove an interruption take effect in the step that brings them. */
  #yieldsAtOnce(ledger: Ledger, { input, commands }: StepFact): void {
    if (input.type !== 'user-transcript' || this.#backchannel || !ledger.open) return
    const heard = commands.find((each) => each.type === 'emit' && each.event.type === 'user-transcript')
    if (heard?.type !== 'emit' || heard.event.type !== 'user-transcript' || !proves(ledger, heard.event)) return
    for (const speech of this.#speeches) {
      must(
        speech.sound === 'clearing' || speech.sound === 'over' || ledger.isProtected(speech.reply),
        'who is interrupted falls silent at once',
      )
    }
    for (const generation of this.#generations) {
      const stopped = generation.state !== 'open' || generation.guess !== null || ledger.isProtected(generation.reply)
      must(stopped, 'who is interrupted stops thinking at once')
    }
  }
}

const thinking = (ledger: Ledger): GenerationFact[] =>
  [...ledger.live.generations].filter((generation) => generation.guess === null && generation.agent !== null)

function proves(ledger: Ledger, heard: { readonly text: string; readonly final: boolean }): boolean {
  if (ledger.settings.turns !== 'voice') return false
  const { enabled, minWords, minDuration, words, warmup } = ledger.interruption
  const lasts = !ledger.settings.measuresVoice || ledger.user.voiced >= minDuration
  const sure = heard.final || (words === 'interim' && lasts)
  if (!enabled || warmup > 0 || !sure) return false
  return countWords(heard.text) >= Math.max(1, minWords) && !isBackchannel(heard.text, ledger.interruption)
}

function asks(ledger: Ledger, command: Extract<Command, { type: 'generate' }>): void {
  must(!ledger.generations.has(command.generation), 'a generation is started once')
  must(ledger.open, 'while closing no model is asked')
  must(command.tools === 'none' || ledger.phase === 'open', 'a drain begins no new work')
}

/** Whose words are they? A task that was asked for before they were said has them; what has failed is not gone on with. */
function isEntitled(ledger: Ledger, { generation, reply, agent }: Extract<Command, { type: 'generate' }>): void {
  const earlier = [...ledger.generations.values()].filter((each) => each.reply === reply && each.id !== generation)
  must(
    earlier.every((each) => each.state !== 'failed'),
    'a reply that has failed does not go on',
  )
  const frame = ledger.state.frames.at(-1)!
  const goesOn = earlier.length > 0 || [...ledger.calls.values()].some((call) => call.reply === reply)
  const isNew = !goesOn && ledger.replies.get(reply)!.asked === null && agent === frame.agent.id
  const waits = frame.waiting[0] !== undefined && !frame.waiting[0].after
  const meant = ledger.generations.get(generation)!.guess === null
  must(!isNew || !waits || !meant, 'what is owed while a task waits is for the task')
}

/** Words that bridge a silence are said into a silence. */
function begins(ledger: Ledger, source: ReplySource): void {
  if (source !== 'filler') return
  const sounds = [...ledger.live.speeches].some(({ sound }) => sound !== 'clearing')
  must(!sounds && !ledger.userSpeaks, 'a silence is bridged only where there is one')
}

function stepsAreLimited(ledger: Ledger, id: Id): void {
  const { tools, depth } = ledger.generations.get(id)!
  must(
    tools === 'none' || depth <= ledger.settings.maxToolSteps + 1,
    'tools are offered for so many steps, and no more',
  )
}

function stops(ledger: Ledger, command: Extract<Command, { type: 'generate-cancel' }>): void {
  const generation = ledger.generations.get(command.generation)
  must(generation?.state === 'open', 'only a running generation is cancelled')
}

function speaks(ledger: Ledger, { generation: id }: Extract<Command, { type: 'speak' }>): void {
  const generation = id === null ? undefined : ledger.generations.get(id)
  must(generation === undefined || generation.guess === null, 'a guess is not heard')
}

const never = new Set<Input['type']>([
  ...([
    'voice-start',
    'voice-mark',
    'playout-position',
    'playout-end',
    'model-start',
    'model-text',
    'model-flush',
  ] as const),
  ...(['model-call', 'call-update', 'say', 'reply', 'start', 'drain'] as const),
])

function mayCut(ledger: Ledger, speech: Id, { input, commands, due }: StepFact): boolean {
  if (!never.has(input.type) || due || ledger.phase === 'closing') return true
  if (ledger.overdue(ledger.speeches.get(speech)!)) return true
  const userTakesTurn = (each: Command): boolean => each.type === 'emit' && each.event.type === 'user-turn-end'
  return commands.some((each) => each.type === 'task-reject' || userTakesTurn(each))
}

/** A late part of a generation that was cancelled finds nobody. */
function cancelledIsInert(ledger: Ledger, { input, commands, due }: StepFact): void {
  if (!('generation' in input) || input.type === 'model-start' || due) return
  if (ledger.generations.get(input.generation)?.state !== 'cancelled') return
  const justNow = commands.some((each) => each.type === 'generate-cancel' && each.generation === input.generation)
  must(justNow || commands.every((each) => each.type === 'wake'), 'a cancelled generation says and does nothing more')
}

/** A reply that nothing keeps is over. */
function repliesEnd(ledger: Ledger): void {
  const { replies, speeches, generations, requests, groups, frames } = ledger.state
  for (const { id, interrupted, error } of replies) {
    const made = [speeches, generations, requests].some((each) => each.some((one) => one.reply === id))
    const works = groups.some((group) => group.reply === id) || frames.some((frame) => frame.owes.result?.reply === id)
    const stopped = interrupted || error !== null
    must(made || (works && !stopped), 'a reply that is over ends at once')
  }
}

/** Who owes something and may say it says it. */
function debtsArePaid(ledger: Ledger): void {
  const { state } = ledger
  const frame = state.frames.at(-1)!
  const free = !ledger.userSpeaks && state.user.turn === null && state.committed.length === 0
  if (!free || !ledger.open || frame.waiting.length > 0 || frame.leaving !== null || frame.result !== null) return
  if (state.generations.length > 0 || [...ledger.live.speeches].some((speech) => speech.sound === 'clearing')) return
  if (state.calls.some((call) => call.kind === 'enter' && call.frame === frame.id)) return
  if (ledger.wake !== null && ledger.wake - ledger.now <= moment) return
  const told = state.replies.find((reply) => reply.id === frame.owes.result?.reply)
  const goesOn =
    told !== undefined && !told.interrupted && told.error === null && !frame.owes.answer && !frame.owes.result?.late
  must(!goesOn, 'results that are worth telling are told at once, even while the agent speaks')
  if (state.speeches.length > 0 || state.replies.length > 0) return
  must(
    !frame.owes.opening && !frame.owes.answer && frame.owes.result === null,
    'an agent that owes words in silence says them',
  )
  must(state.requests.length === 0, 'a reply that was asked for in silence is made')
}

/** A speech that may be heard is heard. */
function floorIsUsed(ledger: Ledger): void {
  const { state, settings } = ledger
  const next = state.speeches[0]
  if (next?.sound !== 'queued' || !ledger.open || settings.voice === 'none') return
  if (ledger.userSpeaks || state.user.turn !== null) return
  const speech = ledger.speeches.get(next.id)
  const delay = settings.minConsecutiveSpeechDelay > 0 && ledger.wake !== null
  const leaving = state.frames.some((frame) => frame.leaving !== null)
  must(speech !== undefined || delay || leaving, 'a speech that may be made is made')
  must(speech === undefined || speech.voice === 'asked' || delay, 'a speech that may be heard is heard')
}

import type {
  ApplicationInput,
  Command,
  Id,
  ModelInput,
  UserInput,
  VoiceInput,
  WorkInput,
} from '../../src/conversation/protocol.js'
import { isBackchannel } from '../../src/conversation/words.js'
import type { CallFact, GenerationFact } from './facts.js'
import type { Ledger, StepFact } from './ledger.js'

/** Takes down what came in. */
export function record(ledger: Ledger, { input, commands }: StepFact, now: number): void {
  ledger.now = now
  ledger.steps += 1
  ledger.refused.clear()
  for (const command of commands) if (command.type === 'refuse') ledger.refused.add(command.request)
  if (input.type === 'tick') return
  if (ledger.phase === 'new' && input.type !== 'start' && input.type !== 'close' && input.type !== 'drain') return
  if (input.type.startsWith('user-') || input.type.startsWith('turn-')) user(ledger, input as UserInput)
  if (input.type.startsWith('model-')) model(ledger, input as ModelInput, commands)
  if (input.type.startsWith('voice-') || input.type.startsWith('playout-')) sound(ledger, input as VoiceInput)
  work(ledger, input as WorkInput)
  application(ledger, input as ApplicationInput)
}

function user(ledger: Ledger, input: UserInput): void {
  const { user, now } = ledger
  switch (input.type) {
    case 'user-text':
      ledger.typed = true
      return
    case 'user-speech-start':
    case 'user-speech-progress':
    case 'user-speech-end':
      return voice(ledger, input)
    case 'user-claim':
      user.claims = Math.max(0, user.claims + (input.on ? 1 : -1))
      user.lastSound = now
      if (!user.speaking && user.claims === 0) user.quietSince = now
      return
    case 'user-overlap':
      // too soon to be believed
      if (input.verdict === 'backchannel' && ledger.soonAfterStart) return
      user.backchannel = input.verdict === 'backchannel'
      user.judged = true
      return
    case 'user-transcript':
      if (input.text.trim() !== '' && !user.judged) user.backchannel = isBackchannel(input.text, ledger.interruption)
      return
    default:
      return
  }
}

/** The reply of a model that takes turns by itself. */
function begunBy(commands: readonly Command[]): Id | null {
  for (const { event } of commands.filter((command) => command.type === 'emit'))
    if (event.type === 'reply-start' && event.source === 'model') return event.reply
  return null
}

type VoiceHeard = Extract<UserInput, { type: `user-speech-${string}` }>

function voice({ user, now }: Ledger, input: VoiceHeard): void {
  if (input.type === 'user-speech-start') {
    user.speaking = true
    user.onset = Math.min(input.at, now)
    user.voiced = 0
    user.backchannel = false
    user.judged = false
    user.lastSound = now
  } else if (input.type === 'user-speech-progress' && user.speaking) {
    user.voiced = Math.max(user.voiced, input.voiced)
    user.lastSound = now
  } else if (input.type === 'user-speech-end' && user.speaking) {
    user.speaking = false
    user.quietSince = now
    user.lastSound = Math.max(user.onset, now - input.silence)
  }
}

/** Words that come without a request: of a model that answers by itself, or of the application. */
function unasked(ledger: Ledger, id: Id, reply: Id | null): void {
  const fact: GenerationFact = {
    ...{ id, reply, agent: null, view: [], tools: 'auto', opening: false, guess: null, unseen: null },
    ...{ state: 'open', begun: false, text: '', at: ledger.now, since: ledger.now, said: null, depth: 1 },
  }
  ledger.generations.set(id, fact)
  ledger.live.generations.add(fact)
}

function model(ledger: Ledger, input: ModelInput, commands: readonly Command[]): void {
  if (input.type === 'model-start') return unasked(ledger, input.generation, begunBy(commands))
  const generation = ledger.generations.get(input.generation)
  if (generation?.state !== 'open') return
  generation.since = ledger.now
  generation.begun ||= input.type === 'model-call' || (input.type === 'model-text' && input.text.trim() !== '')
  if (input.type === 'model-text') generation.text += input.text
  if (generation.guess === null && generation.text.trim() !== '') generation.said ??= ledger.steps
  if (input.type === 'model-call') {
    const { call: id, name, traits } = input
    const beside = generation.text.trim() !== ''
    const made = {
      state: 'made',
      outcome: null,
      beside,
      held: false,
      released: false,
      told: false,
      depth: generation.depth,
      at: ledger.now,
    } as const
    ledger.calls.set(id, {
      id,
      kind: 'tool',
      name,
      generation: generation.id,
      reply: generation.reply,
      traits,
      ...made,
    })
  }
  if (input.type !== 'model-end') return
  generation.state = input.error ? 'failed' : 'ended'
  ledger.live.generations.delete(generation)
}

function sound(ledger: Ledger, input: VoiceInput): void {
  const speech = ledger.speeches.get(input.speech)
  if (speech === undefined || speech.sound === 'over') return
  if (speech.sound !== 'clearing') speech.since = ledger.now
  switch (input.type) {
    case 'voice-start':
      if (speech.voice === 'asked') speech.voice = 'started'
      return
    case 'voice-mark':
      return void speech.marks.push({ chars: input.chars, at: input.at })
    case 'voice-end':
      speech.voice = input.error ? 'failed' : 'ended'
      speech.duration = input.duration
      return
    case 'playout-position':
      if (speech.sound !== 'waiting') speech.position = Math.max(speech.position, input.position)
      return
    case 'playout-end':
      if (speech.sound === 'waiting') return
      speech.end = { position: Math.max(speech.position, input.position), cleared: input.cleared }
      speech.position = speech.end.position
      speech.sound = 'over'
      ledger.live.speeches.delete(speech)
  }
}

/** Its result is worth a reply, and nobody of its group is waited for any more. */
function surelyTold(ledger: Ledger, call: CallFact): boolean {
  if (call.traits?.announce !== 'always' || call.traits.duplicates !== 'allow') return false
  const group = [...ledger.calls.values()].filter((each) => each.generation === call.generation)
  return group.every((each) => each.state === 'ended')
}

function callEnded(ledger: Ledger, { call: id, outcome }: Extract<WorkInput, { type: 'call-end' }>): void {
  const call = ledger.calls.get(id)
  if (call === undefined || call.state === 'ended') return
  const { error, handoff, silent } = outcome
  const running = call.state === 'running'
  Object.assign(call, { state: 'ended', outcome })
  call.told = running && !error && !silent && handoff === null && surelyTold(ledger, call)
  ledger.live.calls.delete(call)
  if (handoff) ledger.agents.set(handoff.id, handoff)
}

function work(ledger: Ledger, input: WorkInput): void {
  switch (input.type) {
    case 'call-end':
      return callEnded(ledger, input)
    case 'call-update': {
      const call = ledger.calls.get(input.call)
      if (call?.state === 'running') call.released = true
      return
    }
    case 'turn-pass': {
      const call = ledger.calls.get(input.call)
      if (call === undefined) return
      call.state = 'ended'
      ledger.live.calls.delete(call)
      return
    }
    case 'task-start': {
      const { task: id, call, agent, speech } = input
      const task = { id, call, agent, speech, state: 'waiting' as const, result: null, at: ledger.now }
      ledger.tasks.set(id, task)
      ledger.live.tasks.add(task)
      ledger.agents.set(agent.id, agent)
      const reply = ledger.calls.get(call)?.reply
      if (speech === 'finish' && reply) ledger.reply(reply).protectors.add(id)
      return
    }
    case 'task-finish': {
      const task = ledger.tasks.get(input.task)
      if (task?.state === 'holding') task.result ??= { error: input.error }
      return
    }
    default:
      return
  }
}

type Of<Type extends ApplicationInput['type']> = Extract<ApplicationInput, { type: Type }>

function said(ledger: Ledger, { reply, text, priority, interruptible, record }: Of<'say'>): void {
  const when = text === null ? null : ledger.steps
  Object.assign(ledger.reply(reply), { asked: 'say', priority, interruptible, record, said: when })
  if (text === null) unasked(ledger, reply, reply)
}

function asked(ledger: Ledger, { reply, priority, interruptible }: Of<'reply'>): void {
  Object.assign(ledger.reply(reply), { asked: 'reply', priority, interruptible })
}

function application(ledger: Ledger, input: ApplicationInput): void {
  switch (input.type) {
    case 'start':
      if (ledger.phase === 'new') ledger.turnTo('open')
      return
    case 'drain':
      if (ledger.phase === 'open') ledger.turnTo('draining')
      else if (ledger.phase === 'new') ledger.turnTo('closing')
      return
    case 'close':
      if (ledger.open || ledger.phase === 'new') ledger.turnTo('closing')
      return
    case 'say':
      return said(ledger, input)
    case 'reply':
      return asked(ledger, input)
    case 'reply-protect':
      if (!ledger.refused.has(input.reply)) ledger.reply(input.reply).interruptible = input.interruptible
      return
    case 'agent-update':
      ledger.agents.set(input.agent.id, input.agent)
      return
    default:
      return
  }
}

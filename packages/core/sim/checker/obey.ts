import type { Command, ConversationEvent } from '../../src/conversation/protocol.js'
import type { GenerationFact, Playing, SpeechFact } from './facts.js'
import type { Ledger } from './ledger.js'
import { must, rounding } from './must.js'

/** Takes down what was asked for. */
export function obey(ledger: Ledger, command: Command): void {
  switch (command.type) {
    case 'generate':
    case 'generate-cancel':
      return model(ledger, command)
    case 'speak':
      return speak(ledger, command)
    case 'speak-text':
    case 'speak-end':
    case 'play':
    case 'pause':
    case 'resume':
    case 'duck':
    case 'unduck':
    case 'clear':
      return sound(ledger, command)
    case 'call':
    case 'hook':
    case 'call-abort':
      return call(ledger, command)
    case 'task-resolve':
    case 'task-reject':
      return settle(ledger, command.task)
    case 'refuse':
      // a reply that may not be stopped goes on
      if (command.because === 'closing') ledger.live.generations.delete(ledger.generations.get(command.request)!)
      return settle(ledger, command.request)
    case 'wake':
      ledger.wake = command.at
      return
    case 'emit':
      if (command.event.type === 'closing' && ledger.phase !== 'closing') ledger.turnTo('closing')
      if (command.event.type === 'closed') ledger.turnTo('closed')
      if (command.event.type === 'user-turn-end' && command.event.reason === 'backchannel')
        ledger.user.backchannel = true
      if (command.event.type === 'user-turn-exceeded') ledger.exceeded += 1
      if (command.event.type === 'reply-start') begins(ledger, command.event)
      return
    default:
      return
  }
}

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

function model(ledger: Ledger, command: Of<'generate' | 'generate-cancel'>): void {
  if (command.type === 'generate-cancel') {
    const generation = ledger.generations.get(command.generation)
    if (generation === undefined) return
    const { modelStart, modelGap } = ledger.settings.limits
    const silent = ledger.now - generation.since > (generation.begun ? modelGap : modelStart) - rounding
    const speeches = [...ledger.speeches.values()].filter((speech) => speech.generation === generation.id)
    const failed = silent || speeches.some((speech) => ledger.overdue(speech))
    generation.state = failed ? 'failed' : 'cancelled'
    ledger.live.generations.delete(generation)
    return
  }
  const { generation: id, reply, agent, view, tools, opening } = command
  const whole = ledger.reply(reply)
  for (const call of ledger.calls.values()) {
    const told = call.told && call.reply === reply && ledger.generations.get(call.generation!)?.agent === agent
    if (!told) continue
    call.told = false
    whole.depth = Math.max(whole.depth, call.depth + 1)
  }
  const fact: GenerationFact = {
    ...{ id, reply, agent, view, tools, opening, guess: null, unseen: null },
    ...{ state: 'open', begun: false, text: '', said: null, depth: whole.depth, at: ledger.now, since: ledger.now },
  }
  ledger.generations.set(id, fact)
  ledger.live.generations.add(fact)
}

/** An answer to a user who has talked for too long and goes on is protected: it would not be heard otherwise. */
function begins(ledger: Ledger, { reply: id, source }: Extract<ConversationEvent, { type: 'reply-start' }>): void {
  const made = ledger.state.replies.find((each) => each.id === id)
  if (source === 'say' || source === 'request' || made === undefined || made.interruptible) return
  must(
    ledger.exceeded > 0,
    'nobody but the application protects a reply, except from a user who has talked for too long',
  )
  ledger.exceeded -= 1
  ledger.reply(id).interruptible = false
}

function speak(ledger: Ledger, { speech: id, reply, generation, agent }: Of<'speak'>): void {
  const made = generation === null ? undefined : ledger.generations.get(generation)
  const again = [...ledger.speeches.values()].some((speech) => generation !== null && speech.generation === generation)
  const said = again ? ledger.steps : (made?.said ?? ledger.reply(reply).said)
  const fact: SpeechFact = {
    ...{ id, reply, generation, agent, said, text: '', textEnded: false, voice: 'asked', duration: 0, marks: [] },
    ...{ sound: 'waiting', position: 0, played: null, cleared: null, held: null, end: null, since: ledger.now },
  }
  ledger.speeches.set(id, fact)
  ledger.live.speeches.add(fact)
  if (made !== undefined) made.reply = reply
}

function sound(ledger: Ledger, command: Of<'speak-text' | 'speak-end'> | Playing): void {
  const speech = ledger.speeches.get(command.speech)
  if (speech === undefined) return
  const { now } = ledger
  switch (command.type) {
    case 'speak-text':
      speech.text += command.text
      return
    case 'speak-end':
      speech.textEnded = true
      return
    case 'play':
      return void Object.assign(speech, { sound: 'playing', played: now, since: now })
    case 'pause':
      return void Object.assign(speech, { sound: 'paused', held: now })
    case 'duck':
      return void Object.assign(speech, { sound: 'ducked', held: now })
    case 'resume':
    case 'unduck':
      return void Object.assign(speech, { sound: 'playing', held: null, since: now })
    case 'clear':
      if (speech.played === null) ledger.live.speeches.delete(speech)
      return void Object.assign(speech, { sound: speech.played === null ? 'over' : 'clearing', cleared: now })
  }
}

function call(ledger: Ledger, command: Of<'call' | 'hook' | 'call-abort'>): void {
  const known = ledger.calls.get(command.call)
  if (command.type === 'call-abort') {
    if (known?.state === 'running') known.state = 'aborting'
    return
  }
  if (command.type === 'hook') {
    const fact = {
      ...{ id: command.call, kind: command.hook, name: command.hook, generation: null, reply: null, traits: null },
      ...{
        state: 'running' as const,
        outcome: null,
        beside: false,
        held: false,
        released: false,
        told: false,
        depth: 0,
        at: ledger.now,
      },
    }
    ledger.calls.set(fact.id, fact)
    ledger.live.calls.add(fact)
    return
  }
  if (known === undefined) return
  known.state = 'running'
  known.reply = command.reply
  ledger.live.calls.add(known)
}

function settle(ledger: Ledger, id: string): void {
  const task = ledger.tasks.get(id)
  if (task === undefined) return
  task.state = 'settled'
  ledger.live.tasks.delete(task)
  for (const reply of ledger.replies.values()) reply.protectors.delete(id)
}

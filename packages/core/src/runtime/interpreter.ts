import type { Command, ConversationEvent } from '../conversation/protocol.js'
import type { Calls } from './calls.js'
import type { Generations } from './generations.js'
import type { Speeches } from './speeches.js'
import type { Tasks } from './tasks.js'

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** Who carries out what. */
export interface Hands {
  readonly generations: Generations
  readonly speeches: Speeches
  readonly calls: Calls
  readonly tasks: Tasks
  flushTranscript(): void
  refuse(refusal: Of<'refuse'>): void
  wake(at: number | null): void
  emit(event: ConversationEvent): void
}

/** Carries out one command. */
export function perform({ generations, speeches, calls, tasks, ...hands }: Hands, command: Command): void {
  switch (command.type) {
    case 'generate':
      return generations.generate(command)
    case 'generate-cancel':
      return generations.cancel(command.generation)
    case 'predict-turn-end':
      return generations.predict(command)
    case 'speak':
      return speeches.speak(command)
    case 'speak-text':
      return speeches.text(command.speech, command.text)
    case 'speak-flush':
      return speeches.flush(command.speech)
    case 'speak-end':
      return speeches.text(command.speech, null)
    case 'play':
    case 'pause':
    case 'resume':
    case 'duck':
    case 'unduck':
    case 'clear':
      return speeches.move(command.speech, command.type)
    case 'call':
      return calls.call(command)
    case 'hook':
      return calls.hook(command)
    case 'call-abort':
      return calls.abort(command)
    case 'task-resolve':
      return tasks.resolve(command)
    case 'task-reject':
      return tasks.reject(command)
    case 'flush-transcript':
      return hands.flushTranscript()
    case 'refuse':
      return hands.refuse(command)
    case 'wake':
      return hands.wake(command.at)
    case 'emit':
      return hands.emit(command.event)
    case 'truncate':
      return // only a model that makes its own sound has to be told
  }
}

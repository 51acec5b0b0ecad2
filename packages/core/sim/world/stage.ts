import type { AgentRef, Command, Id, Input } from '../../src/conversation/protocol.js'
import type { Settings } from '../../src/conversation/settings.js'
import type { Random } from '../random.js'
import type { Pending } from './queue.js'
import type { Fault } from './scenario.js'

/** What all who play in a scenario share. */
export interface Stage {
  readonly random: Random
  readonly settings: Settings
  readonly now: number
  /** Whether this goes wrong this time. */
  fails(fault: Fault): boolean
  after(delay: number, run: () => void): Pending
  send(input: Input): void
  id(kind: string): Id
  newAgent(): AgentRef
}

/** What a line is asked to do with the sound of a speech. */
export type Playing = Extract<Command, { type: 'play' | 'pause' | 'resume' | 'duck' | 'unduck' | 'clear' }>
export type Ordered<Type extends Command['type']> = Extract<Command, { type: Type }>
